// Reads pages of transactions in spite of two faults: a limit that the service refuses
// (docs/custody-service.md 8 shows no maximum) is lowered until it is accepted; a record that makes every
// answer fail is quarantined by its place.
import { createHash } from 'node:crypto';
import type { Call, ServiceFilter } from '../../custody/client.ts';
import { CustodyError } from '../../domain/errors.ts';
import type { ListItem, Page, PageRequest, UndecodableItem } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { noteEvidence } from '../learned/repeated-evidence.ts';
import type { FactKeeper } from '../run/fact-keeper.ts';
import type { OpenRun } from '../run/run-job.ts';
import { createWindowedRead, type ReadTransactions, type ReadWithCall } from './list-window.ts';

/** The keys of such records in quarantine begin with this. */
export const unreadablePrefix = 'unreadable: ';

const limitFact = 'transactions_limit';
const noLimit = 'none';
/**
 * How many records a page holds when the service cuts pages silently (docs/custody-service.md 8 shows no
 * maximum).
 */
export const pageCapFact = 'transactions_page_cap';
/** The default of docs/custody-service.md 4.1, which a service should accept. */
const defaultLimit = 200;
/**
 * Few retries for requests that are expected to fail; as many as it takes until an answer that contradicts its
 * filter is believed (docs/correctness.md, "Its own answer").
 */
export const fewRetries = 2;
/** More unreadable records than this in one run mean that the service is broken, not the records. */
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

/**
 * Lowers the limit when it is refused, and learns the accepted one at once: being wrong costs only requests.
 * The job `reconcile` tries the greater limit again; several runs that find it accepted forget the fact.
 */
function createLimitedRead(run: OpenRun): ReadWithCall {
  const { client, facts } = run;
  const known = takenLimit(facts, Number.POSITIVE_INFINITY);
  let largest = run.run.job === 'reconcile' ? Number.POSITIVE_INFINITY : known;
  let accepted = 0;
  const note = (value: string, evidence: string) => noteEvidence(run, { fact: limitFact, value, evidence });
  return async ({ offset, limit: asked }, call, filter) => {
    let refusal = '';
    for (let limit = Math.min(asked, largest), refused = 0; ; ) {
      try {
        const page = await client.transactions({ offset, limit }, call, filter);
        accepted = Math.max(accepted, limit);
        if (refused === 0 && limit > known) note(noLimit, `a limit of ${limit} was accepted`);
        if (refused > 0 && limit < largest) {
          largest = limit;
          note(String(limit), `a limit of ${refused} was refused with ${refusal}, ${limit} was accepted`);
        }
        return page;
      } catch (error) {
        if (!isLimitRefusal(error) || limit <= 1) throw error;
        // ERR-00 does not refuse a limit that was accepted; its next answer may still be too large.
        if (limit <= accepted && error.fault.code === 'ERR-00') throw error;
        refused = limit;
        refusal = error.fault.code;
        limit = limit > defaultLimit ? defaultLimit : Math.floor(limit / 2);
      }
    }
  };
}

const priorityOf = ({ run }: OpenRun) => (run.job === 'reconcile' ? 'background' : 'normal');

/** Reads with few retries, and around no record: a filter that fails is not a reason to wait. */
export function createWitnessReader(run: OpenRun): ReadTransactions {
  const read = createWindowedRead(run, createLimitedRead(run));
  return (request, signal, filter) =>
    read(request, { signal, priority: priorityOf(run), tally: run.tally, retries: fewRetries }, filter);
}

export function createTransactionReader(
  run: OpenRun,
  priority: Call['priority'] = priorityOf(run),
): ReadTransactions {
  const { facts, tally } = run;
  const readWithinLimit = createWindowedRead(run, createLimitedRead(run));
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
      const search = { ...call, retries: fewRetries };
      const limit = takenLimit(facts, request.limit);
      const readSome = (offset: number, some: number) =>
        readWithinLimit({ offset, limit: some }, search, filter);
      const found = await findUnreadable(readSome, request.offset, limit);
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

/** The service refuses the limit, or the answer to it is larger than an answer may be. */
function isLimitRefusal(error: unknown): error is CustodyError {
  return (
    error instanceof CustodyError &&
    error.fault.kind === 'permanent' &&
    ['ERR-00', 'BODY-TOO-LARGE'].includes(error.fault.code)
  );
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

/** Whether one record may be the cause: the service received and understood the request, and failed. */
function mayBeUnreadable(error: unknown): error is CustodyError {
  if (!(error instanceof CustodyError)) return false;
  const { kind, code } = error.fault;
  return kind === 'transient' || (kind === 'permanent' && !refusals.has(code));
}

/** Refusals of the request itself, which no record can cause. */
const refusals = new Set(['ERR-00', 'TXN-00', 'TXN-01', 'TXN-03', 'BAL-02', 'VAL-00', 'WHT-01', 'REDIRECT']);

/**
 * Finds the first record that cannot be read, by halving the limit: the number of requests is bounded by the
 * page size. One bad record then costs one record and not the sweep.
 *
 * @param read reads so many records from an offset, with few retries: these requests are expected to fail
 * @param from where the page that failed begins
 * @returns its position, and the records before it, from `from` on, null when it is the first; null when no
 * single record is the cause: the service now answers everything there, or nothing
 */
export async function findUnreadable<Record_>(
  read: (offset: number, limit: number) => Promise<Page<Record_>>,
  from: number,
  limit: number,
): Promise<{ readonly before: Page<Record_> | null; readonly offset: number } | null> {
  const attempt = (offset: number, some: number): Promise<Page<Record_> | null> =>
    read(offset, some).catch((error: unknown) => {
      if (mayBeUnreadable(error)) return null;
      throw error;
    });
  let before: Page<Record_> | null = null;
  let readable = 0;
  let unreadable = limit;
  while (unreadable - readable > 1) {
    const middle = readable + Math.floor((unreadable - readable) / 2);
    const page: Page<Record_> | null = await attempt(from, middle);
    if (page === null) unreadable = middle;
    else {
      before = page;
      readable = middle;
      // An answer with fewer records than asked for says nothing about those after it.
      if (page.items.length < middle) return null;
    }
  }
  const offset = from + readable;
  if ((await attempt(offset, 1)) !== null) return null;
  // One record is the cause only if its neighbours can be read.
  if (before === null && (await attempt(offset + 1, 1)) === null) {
    if (offset === 0 || (await attempt(offset - 1, 1)) === null) return null;
  }
  return { before, offset };
}
