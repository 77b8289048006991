// Cycles of transactions, each in a mirror process of its own, as after a restart, with changes at the
// service before it.
import { type HelperProcess, startMirror, startSandbox } from './helper-process.ts';
import { type MirrorReport, mirrorReady, mirrorReport, sandboxStarted, sandboxUsed } from './messages.ts';
import type { BenchOptions } from './options.ts';

/** What changes at the service before a cycle. */
export interface Change {
  readonly name: string;
  readonly inserted: number;
  readonly changed: number;
}

export interface CycledService {
  /**
   * Changes the service, and runs one cycle into the database.
   *
   * @param first the cycle meets what the service held before too
   * @throws Error when the cycle did something else than that change asks for
   */
  cycle(
    url: string,
    change: Change,
    how?: { readonly first?: boolean; readonly account?: string },
  ): Promise<MirrorReport>;
  stop(): Promise<void>;
}

/** Starts a sandbox of so many transactions. */
export async function startCycledService(
  transactions: number,
  options: BenchOptions,
): Promise<CycledService> {
  const sandbox = startSandbox(transactions);
  const service = await sandbox.receive(sandboxStarted);
  return {
    async cycle(url, change, { first = false, account = 'default' } = {}) {
      const before = await requestsOf(sandbox, `change ${change.inserted} ${change.changed}`);
      const env = { BENCH_FULL: 'no', CUSTODY_ACCOUNT: account };
      const mirror = startMirror(url, service, options, { env });
      try {
        await mirror.receive(mirrorReady);
        mirror.send('begin');
        const report = await mirror.receive(mirrorReport);
        check(change, report, first ? transactions : change.inserted);
        return { ...report, requests: (await requestsOf(sandbox, 'tell')) - before };
      } finally {
        await mirror.stop();
      }
    },
    stop: () => sandbox.stop(),
  };
}

async function requestsOf(sandbox: HelperProcess, message: string): Promise<number> {
  sandbox.send(message);
  return (await sandbox.receive(sandboxUsed)).requests;
}

function check(change: Change, { fault, inserted, changed }: MirrorReport, expected: number): void {
  if (fault !== null || inserted !== expected || changed !== change.changed)
    throw new Error(
      `the cycle had an unexpected result (${change.name}): ${JSON.stringify({ fault, inserted, changed })}`,
    );
}
