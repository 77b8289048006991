// The window of a service: nothing beyond this offset + limit can be read, however long the list is
// (docs/custody-service.md 4.1 shows no greatest offset). Once it is known, no request reaches beyond it, and
// places beyond it read as empty, so every reader knows one kind of end. Whether records were kept back is
// for the sweep to find out.
import type { Call, ServiceFilter } from '../../custody/client.ts';
import { isRefusal } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { FactKeeper } from '../run/fact-keeper.ts';
import type { OpenRun } from '../run/run-job.ts';

const windowFact = 'transactions_window';

export type ReadTransactions = (
  request: Required<PageRequest>,
  signal: AbortSignal,
  filter?: ServiceFilter,
) => Promise<Page<Transaction>>;

export type ReadWithCall = (
  request: Required<PageRequest>,
  call: Call,
  filter?: ServiceFilter,
) => Promise<Page<Transaction>>;

/** How far the service lets the list be read; null when no limit of that kind is known. */
export function knownWindow({ known }: FactKeeper): number | null {
  const value = known.get(windowFact);
  return value === undefined ? null : Number(value);
}

export function learnWindow({ facts }: Pick<OpenRun, 'facts'>, window: number, evidence: string): void {
  facts.learn({ fact: windowFact, value: String(window), evidence });
}

/** Forgets a known window if the list goes on beyond it. One request of a reconcile. */
export async function recheckWindow(run: OpenRun): Promise<void> {
  const { client, facts, signal, tally } = run;
  const window = knownWindow(facts);
  if (window === null || run.run.job !== 'reconcile') return;
  const call: Call = { signal, priority: 'background', tally };
  const keyAt = async (offset: number) =>
    (await client.transactions({ offset, limit: 1 }, call)).items[0]?.key;
  const beyond = await keyAt(window).catch((error: unknown) => {
    if (isRefusal(error)) return undefined;
    throw error;
  });
  if (beyond !== undefined && beyond !== (await keyAt(window - 1))) facts.forget(windowFact);
}

/** Whether the service answers what is beyond this length with the last record again. */
export async function repeatsLastRecord(
  read: ReadTransactions,
  length: number,
  signal: AbortSignal,
): Promise<boolean> {
  const keyAt = async (offset: number) => (await read({ offset, limit: 1 }, signal)).items[0]?.key;
  const last = await keyAt(length - 1);
  return last !== undefined && last === (await keyAt(length)) && last !== (await keyAt(length - 2));
}

/** Reads within the window, and finds it where the service refuses an offset. */
export function createWindowedRead(run: OpenRun, read: ReadWithCall): ReadWithCall {
  const { facts, clock } = run;
  /** How far requests have reached, and the greatest limit, that were accepted. */
  let reached = 0;
  let accepted = 0;
  const ask: ReadWithCall = async (request, call, filter) => {
    const page = await read(request, call, filter);
    reached = Math.max(reached, request.offset + request.limit);
    accepted = Math.max(accepted, request.limit);
    return page;
  };
  const isAccepted = (reach: number, call: Call): Promise<boolean> =>
    ask({ offset: reach - 1, limit: 1 }, call).then(
      () => true,
      (error) => {
        if (!isRefusal(error)) throw error;
        return false;
      },
    );
  /** The greatest reach that is accepted, below one that was refused; 0 if that one is accepted by now. */
  const findEdge = async (refused: number, call: Call): Promise<number> => {
    if (await isAccepted(refused, call)) return 0;
    // A greatest offset lets a page reach beyond it.
    let [low, high] = [(await isAccepted(reached, call)) ? reached : 0, refused];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await isAccepted(middle, call)) low = middle;
      else high = middle;
    }
    // A fault that is not a window refuses what was accepted before it.
    return low > 0 && (await isAccepted(low, call)) ? low : 0;
  };

  return async function within(request, call, filter): Promise<Page<Transaction>> {
    const { offset } = request;
    const limit = Math.min(request.limit, (knownWindow(facts) ?? Number.POSITIVE_INFINITY) - offset);
    const now = clock.now();
    if (limit <= 0) return { items: [], sourceTimestamp: null, beganAt: now, arrivedAt: now };
    try {
      return await ask({ offset, limit }, call, filter);
    } catch (error) {
      const reach = offset + limit;
      // A limit that was accepted is not the cause of a refusal.
      const isReach = isRefusal(error) && limit <= accepted && offset > 0 && reached < reach;
      const edge = isReach ? await findEdge(reach, call) : 0;
      if (edge === 0) throw error;
      learnWindow(run, edge, `offset + limit was accepted up to ${edge}, and refused from ${edge + 1} on`);
      return await within(request, call, filter);
    }
  };
}
