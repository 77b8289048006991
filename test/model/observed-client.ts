// A custody client that remembers what it handed on: which answers the engine was given, and when it asked and got them.
import type { CustodyClient } from '../../src/custody/client.ts';
import type { Page } from '../../src/domain/page.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import { toMicros } from '../../src/store/micros.ts';

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
  /** The run that was given it. */
  readonly run: number;
}

export interface ObservedClient extends CustodyClient {
  readonly given: readonly Given[];
  /** Number of the run on whose behalf is read from now on. */
  run: number;
}

export function observeClient(client: CustodyClient): ObservedClient {
  const given: Given[] = [];
  const observed: ObservedClient = {
    ...client,
    given,
    run: 0,
    async transactions(page, call, filter) {
      const { run } = observed;
      const answer = await client.transactions(page, call, filter);
      given.push(describe(answer, filter?.status === undefined ? 'list' : 'status', null, run));
      return answer;
    },
    async transaction(id, call) {
      const { run } = observed;
      const answer = await client.transaction(id, call);
      given.push(describe(answer, 'by-id', id, run));
      return answer;
    },
  };
  return observed;
}

function describe(page: Page<Transaction>, path: Given['path'], asked: string | null, run: number): Given {
  const first = page.items[0];
  return {
    beganAt: toMicros(page.beganAt),
    arrivedAt: toMicros(page.arrivedAt),
    path,
    timestamp: first?.kind === 'record' ? first.record.sourceTimestamp : null,
    ids: page.items.map((item) => item.key),
    asked,
    run,
  };
}
