// Reads pages of transactions past what would stop a walk: a limit the service refuses (interface.md 8 shows no maximum)
// is lowered until it is taken, and a record that no answer can hold is left out of the page and quarantined by its place.
import { createHash } from 'node:crypto';
import type { Call, TransactionFilter } from '../../custody/client.ts';
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
  filter?: TransactionFilter,
) => Promise<Page<Transaction>>;

/** Under this prefix unreadable records stand in quarantine. */
export const unreadablePrefix = 'unreadable: ';

const limitFact = 'transactions_limit';
const noLimit = 'none';
/** How many records a page holds where the service cuts it silently (interface.md 8 shows no maximum). */
export const pageCapFact = 'transactions_page_cap';
/** interface.md 4.1: the default, which a service should take. */
const defaultLimit = 200;
/** Attempts after the first while an unreadable record is looked for: failing is expected then. */
const searchRetries = 2;
/** More unreadable records than this in one run are a broken service and not broken records. */
const maxUnreadable = 30;

/** The greatest limit that is known not to be refused. */
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
  filter?: TransactionFilter,
) => Promise<Page<Transaction>>;

/**
 * Asks for fewer records when so many are refused, and keeps at once what was taken in the end: it costs but requests. A
 * reconcile tries the greater limit again, and what was refused once is taken back when some of them found it taken.
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
          noteEvidence(run, { fact: limitFact, value: noLimit, evidence: `a limit of ${limit} was taken` });
        if (refused > 0 && limit < largest) {
          largest = limit;
          facts.learn({
            fact: limitFact,
            value: String(limit),
            evidence: `a limit of ${refused} was refused with ERR-00, ${limit} was taken`,
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

  /** Names the place by the record before it, which stays the same although the list moves. */
  async function keyBefore(offset: number, call: Call, filter?: TransactionFilter): Promise<string> {
    if (offset === 0) return 'the first record';
    const page = await readWithinLimit({ offset: offset - 1, limit: 1 }, call, filter).catch(() => null);
    return page?.items[0] === undefined ? `position ${offset}` : `the record after ${page.items[0].key}`;
  }

  async function readAround(
    request: Required<PageRequest>,
    signal: AbortSignal,
    filter?: TransactionFilter,
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
