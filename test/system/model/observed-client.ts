// A custody client that remembers what it handed on: which answers the engine was given, and when it asked
// and got them.
import type { Call, CustodyClient } from '../../../src/custody/client.ts';
import type { Page } from '../../../src/domain/page.ts';
import type { Transaction } from '../../../src/domain/transaction.ts';
import { toMicros } from '../../../src/store/values/micros.ts';

/** An answer that the engine was given. */
export interface Given {
  readonly beganAt: number;
  readonly arrivedAt: number;
  readonly path: 'list' | 'status' | 'by-id';
  /** The timestamp of the answer's records; null when it had none. */
  readonly timestamp: string | null;
  readonly ids: readonly string[];
  /** The id asked for. */
  readonly asked: string | null;
  /** The run that was given it; and which job of that run, for an increment may give way to a sweep. */
  readonly run: number;
  readonly job: number;
}

export interface ObservedClient extends CustodyClient {
  readonly given: readonly Given[];
  /** Number of the run on whose behalf is read from now on. */
  run: number;
}

export function observeClient(client: CustodyClient): ObservedClient {
  const given: Given[] = [];
  /** Each job counts its requests in a tally of its own. */
  const jobs = new Map<unknown, number>();
  const ofJob = ({ tally }: Call) => {
    const job = jobs.get(tally) ?? jobs.size + 1;
    jobs.set(tally, job);
    return { run: observed.run, job };
  };
  const observed: ObservedClient = {
    ...client,
    given,
    run: 0,
    async transactions(page, call, filter) {
      const by = ofJob(call);
      const answer = await client.transactions(page, call, filter);
      given.push({
        ...describe(answer),
        path: filter?.status === undefined ? 'list' : 'status',
        asked: null,
        ...by,
      });
      return answer;
    },
    async transaction(id, call) {
      const by = ofJob(call);
      const answer = await client.transaction(id, call);
      given.push({ ...describe(answer), path: 'by-id', asked: id, ...by });
      return answer;
    },
  };
  return observed;
}

/** The ids that the sweep of a run met: a run that swept did so in its last job. */
export function idsSwept(given: readonly Given[], run: number): ReadonlySet<string> {
  const lists = given.filter((answer) => answer.run === run && answer.path === 'list');
  const last = Math.max(...lists.map((answer) => answer.job));
  return new Set(lists.filter((answer) => answer.job === last).flatMap((answer) => answer.ids));
}

function describe(page: Page<Transaction>): Pick<Given, 'beganAt' | 'arrivedAt' | 'timestamp' | 'ids'> {
  const first = page.items[0];
  return {
    beganAt: toMicros(page.beganAt),
    arrivedAt: toMicros(page.arrivedAt),
    timestamp: first?.kind === 'record' ? first.record.sourceTimestamp : null,
    ids: page.items.map((item) => item.key),
  };
}
