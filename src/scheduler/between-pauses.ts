// Mirrors only while the account is not paused. The lease stays with this process over a pause, so that no
// other begins; what runs when one begins is stopped, and resumes after it.
import { runLoop, sleep } from '../base/loop.ts';
import { withLinkedSignal } from '../base/waiting.ts';
import { MirrorError } from '../domain/errors.ts';
import { readPause } from '../store/run/pauses.ts';
import type { JobContext } from '../sync/run/context.ts';

const lookEveryMs = 2_000;

/**
 * Does the work again after each pause, until the context's signal is aborted.
 *
 * @param work calls `pause` when it finds that the account is paused, which stops it
 */
export async function betweenPauses(
  context: JobContext,
  onPause: () => void,
  work: (context: JobContext, pause: (pause: string) => void) => Promise<void>,
): Promise<void> {
  const { database, lease, logger, signal } = context;
  const { account } = lease;
  for (let noted = ''; !signal.aborted; ) {
    const pause = await readPause(database, account);
    if (pause !== null) {
      if (pause !== noted) logger.info({ account, pause }, 'mirroring paused');
      noted = pause;
      onPause();
      await sleep(lookEveryMs, signal).catch(() => undefined);
      continue;
    }
    if (noted !== '') logger.info({ account }, 'mirroring resumed');
    noted = '';
    const paused = new AbortController();
    await withLinkedSignal([signal, paused.signal], (either) =>
      work({ ...context, signal: either }, (found) => paused.abort(pausedError(account, found))),
    );
  }
}

const pausedError = (account: string, pause: string) =>
  new MirrorError('ACCOUNT-PAUSED', `account ${account} ${pause}`);

/** Does the work under a signal that a pause of the account aborts, with `ACCOUNT-PAUSED`. */
export async function untilPaused<Value>(
  context: Pick<JobContext, 'database' | 'lease' | 'logger' | 'signal'>,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { database, lease, logger, signal } = context;
  const paused = new AbortController();
  const watching = runLoop({
    signal: paused.signal,
    backoff: { minMs: lookEveryMs, maxMs: 10_000 },
    onError: (err) => logger.debug({ err }, 'pauses were not read'),
    turn: async () => {
      const pause = await readPause(database, lease.account);
      if (pause !== null) paused.abort(pausedError(lease.account, pause));
      return lookEveryMs;
    },
  });
  try {
    return await withLinkedSignal([signal, paused.signal], work);
  } finally {
    paused.abort();
    await watching;
  }
}
