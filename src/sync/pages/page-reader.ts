// Reads pages of transactions in spite of two faults: a limit that the service refuses (interface.md 8 shows
// no maximum) is lowered until it is accepted; a record that makes every answer fail is quarantined by its
// place.
import { createHash } from 'node:crypto';
import type { Call, ServiceFilter } from '../../custody/client.ts';
import { CustodyError } from '../../domain/errors.ts';
import type { ListItem, Page, PageRequest, UndecodableItem } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { noteEvidence } from '../learned/repeated-evidence.ts';
import type { FactKeeper } from '../run/fact-keeper.ts';
import type { OpenRun } from '../run/run-job.ts';
import { findUnreadable, mayBeUnreadable } from './unreadable-record.ts';

export type ReadTransactions = (
  request: Required<PageRequest>,
  signal: AbortSignal,
  filter?: ServiceFilter,
) => Promise<Page<Transaction>>;

/** The keys of such records in quarantine begin with this. */
export const unreadablePrefix = 'unreadable: ';

const limitFact = 'transactions_limit';
const noLimit = 'none';
/** How many records a page holds when the service cuts pages silently (interface.md 8 shows no maximum). */
export const pageCapFact = 'transactions_page_cap';
/** The default of interface.md 4.1, which a service should accept. */
const defaultLimit = 200;
/** Few retries while it looks for an unreadable record, because these requests are expected to fail. */
const searchRetries = 2;
/** With more unreadable records in one run, the service is broken and not the records. */
const maxUnreadable = 30;

/** The greatest limit up to `asked` that is known to be accepted. */
function takenLimit(facts: FactKeeper, asked: number): number {
  const known = facts.known.get(limitFact) ?? noLimit;
  return known === noLimit ? asked : Math.min(asked, Number(known));
}

/** How many records a page that was not the last would hold. */
export function fullPage(facts: FactKeeper, limit: number): number {
  return Math.min(limit, Number(facts.known.get(pageCapFact) ?? limit));
}

type ReadWithCall = (
  request: Required<PageRequest>,
  call: Call,
  filter?: ServiceFilter,
) => Promise<Page<Transaction>>;

/**
 * Lowers the limit when it is refused, and learns the accepted one at once: being wrong costs only requests.
 * The job `reconcile` tries the greater limit again; several runs that find it accepted forget the fact.
 */
function createLimitedRead(run: OpenRun): ReadWithCall {
  const { client, facts } = run;
  const known = takenLimit(facts, Number.POSITIVE_INFINITY);
  let largest = run.run.job === 'reconcile' ? Number.POSITIVE_INFINITY : known;
  return async ({ offset, limit: asked }, call, filter) => {
    for (let limit = Math.min(asked, largest), refused = 0; ; ) {
      try {
        const page = await client.transactions({ offset, limit }, call, filter);
        if (refused === 0 && limit > known)
          noteEvidence(run, {
            fact: limitFact,
            value: noLimit,
            evidence: `a limit of ${limit} was accepted`,
          });
        if (refused > 0 && limit < largest) {
          largest = limit;
          facts.learn({
            fact: limitFact,
            value: String(limit),
            evidence: `a limit of ${refused} was refused with ERR-00, ${limit} was accepted`,
          });
        }
        return page;
      } catch (error) {
        if (!isLimitRefusal(error) || limit <= 1) throw error;
        refused = limit;
        limit = limit > defaultLimit ? defaultLimit : Math.floor(limit / 2);
      }
    }
  };
}

export function createTransactionReader(run: OpenRun, priority: Call['priority']): ReadTransactions {
  const { facts, tally } = run;
  const readWithinLimit = createLimitedRead(run);
  let unreadable = 0;

  /** Names a place by the record before it, which stays the same when the list moves. */
  async function keyBefore(offset: number, call: Call, filter?: ServiceFilter): Promise<string> {
    if (offset === 0) return 'the first record';
    const page = await readWithinLimit({ offset: offset - 1, limit: 1 }, call, filter).catch(() => null);
    return page?.items[0] === undefined ? `position ${offset}` : `the record after ${page.items[0].key}`;
  }

  async function readAround(
    request: Required<PageRequest>,
    signal: AbortSignal,
    filter?: ServiceFilter,
  ): Promise<Page<Transaction>> {
    const call: Call = { signal, priority, tally };
    try {
      return await readWithinLimit(request, call, filter);
    } catch (error) {
      if (!mayBeUnreadable(error) || unreadable >= maxUnreadable) throw error;
      const search = { ...call, retries: searchRetries };
      const limit = takenLimit(facts, request.limit);
      const found = await findUnreadable({
        read: (offset, some) => readWithinLimit({ offset, limit: some }, search, filter),
        from: request.offset,
        limit,
      });
      if (found === null) throw error;
      unreadable += 1;
      const item = unreadableItem(found.offset, await keyBefore(found.offset, search, filter), error);
      const rest = limit - (found.offset - request.offset) - 1;
      const after =
        rest > 0 ? await readAround({ offset: found.offset + 1, limit: rest }, signal, filter) : null;
      return joinParts(found.before, item, after, run.clock.now());
    }
  }

  return readAround;
}

function isLimitRefusal(error: unknown): boolean {
  return error instanceof CustodyError && error.fault.kind === 'permanent' && error.fault.code === 'ERR-00';
}

function unreadableItem(offset: number, where: string, error: CustodyError): UndecodableItem {
  const key = unreadablePrefix + where;
  return {
    kind: 'undecodable',
    key,
    hash: createHash('sha256').update(key).digest('base64url'),
    reason: `the service answers every page that holds the record at position ${offset} with ${error.fault.code}`,
    raw: error.message,
  };
}

function joinParts(
  before: Page<Transaction> | null,
  item: ListItem<Transaction>,
  after: Page<Transaction> | null,
  now: number,
): Page<Transaction> {
  const parts = [before, after].filter((part) => part !== null);
  return {
    items: [...(before?.items ?? []), item, ...(after?.items ?? [])],
    sourceTimestamp: null,
    beganAt: Math.min(now, ...parts.map((part) => part.beganAt)),
    arrivedAt: parts.length === 0 ? now : Math.max(...parts.map((part) => part.arrivedAt)),
  };
}
