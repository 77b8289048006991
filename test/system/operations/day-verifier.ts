// A verifier beside: it verifies the sealed history again and again, and accuses nobody of what a restore
// did.
import { setTimeout as delay } from 'node:timers/promises';
import { onCleanup } from '../../support/cleanup.ts';

type Run = (...args: string[]) => Promise<{
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}>;

export function startVerifier(run: Run) {
  const accusations: string[] = [];
  let isForked = false;
  let [isAwake, isDone] = [false, false];
  let current: Promise<string> = Promise.resolve('away');

  /** Whether the database could be read, and what it says then. */
  const verify = async (): Promise<'intact' | 'fork' | 'away'> => {
    const { code, stdout, stderr } = await run('verify');
    if (code === 0 && stdout.startsWith('intact')) {
      // What the newest checkpoints prove as gone does not come back.
      if (isForked) accusations.push(`intact after a fork: ${stdout}`);
      return 'intact';
    }
    if (code === 1 && stdout.includes('fork')) {
      isForked = true;
      return 'fork';
    }
    // A log begins with its first checkpoint.
    const isEarly = code === 2 && /holds no checkpoint|cannot be read \(ENOENT/.test(stderr);
    if (!isEarly && (code !== 3 || !/\((DATABASE-|SCHEMA-)/.test(stderr)))
      accusations.push(`verify ended with ${code}: ${stdout}${stderr}`);
    return 'away';
  };
  const verifying = (async () => {
    while (!isDone) {
      current = isAwake ? verify() : Promise.resolve('away');
      await current;
      await delay(300);
    }
  })();
  onCleanup(async () => {
    isDone = true;
    await verifying;
  });
  return {
    /** What no restore explains. */
    accusations,
    verdict: verify,
    go() {
      [isAwake, isForked] = [true, false];
    },
    async rest() {
      isAwake = false;
      await current;
    },
  };
}
