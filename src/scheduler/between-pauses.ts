// Mirrors only while the account is not paused. This process keeps the lease during a pause, so that no other
// begins; it reads when a pause begins and ends with each renewal. Running work is stopped when a pause
// begins, and resumes after it.
import { once } from 'node:events';
import { withLinkedSignal } from '../base/waiting.ts';
import { MirrorError } from '../domain/errors.ts';
import { readPause } from '../store/run/pauses.ts';
import type { Wishes } from '../store/run/wishes.ts';
import type { JobContext } from '../sync/run/context.ts';

/** Does the work again after each pause, until the context's signal is aborted. */
export async function betweenPauses(
  context: JobContext,
  onPause: () => void,
  work: (context: JobContext) => Promise<void>,
): Promise<void> {
  const { database, lease, logger, signal } = context;
  const { account, renewals } = lease;
  for (let noted = ''; !signal.aborted; ) {
    for (let pause = await readPause(database, account); pause !== null; ) {
      if (pause !== noted) logger.info({ account, pause }, 'mirroring paused');
      noted = pause;
      onPause();
      [{ pause }] = await once(renewals, 'renewed', { signal }).catch(() => [{ pause: null }]);
    }
    if (signal.aborted) return;
    if (noted !== '') logger.info({ account }, 'mirroring resumed');
    noted = '';
    await untilPaused(context, (either) => work({ ...context, signal: either }));
  }
}

/** Does the work under a signal that a pause of the account aborts, with `ACCOUNT-PAUSED`. */
export async function untilPaused<Value>(
  { lease, signal }: Pick<JobContext, 'lease' | 'signal'>,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { account, renewals } = lease;
  const paused = new AbortController();
  const stopIfPaused = ({ pause }: Wishes) => {
    if (pause !== null) paused.abort(new MirrorError('ACCOUNT-PAUSED', `account ${account} ${pause}`));
  };
  renewals.on('renewed', stopIfPaused);
  try {
    return await withLinkedSignal([signal, paused.signal], work);
  } finally {
    renewals.off('renewed', stopIfPaused);
  }
}
