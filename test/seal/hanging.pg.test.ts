// What sealing writes to may hang: a mount that does not answer, a transaction that never ends.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sealHistory } from '../../src/seal/seal.ts';
import { onCleanup } from '../support/cleanup.ts';
import { silentLogger } from '../support/loggers.ts';
import { openHistory } from './sealed-history.ts';

/** A file that takes no byte more, and does not say so: a pipe that is full. */
function hangingFile(path: string) {
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const chunk = Buffer.alloc(4096);
  const untilRefused = (act: () => number) => {
    try {
      while (act() > 0);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  };
  untilRefused(() => writeSync(pipe, chunk));
  const drain = () => untilRefused(() => readSync(pipe, chunk));
  onCleanup(async () => {
    drain();
    closeSync(pipe);
  });
}

test('a file of checkpoints that does not answer is named, once tried and not again', async () => {
  const { store, lease, signer, file, grow } = await openHistory();
  await grow();
  const path = `${file}-hanging`;
  hangingFile(path);
  const { signal } = new AbortController();
  const options = { ...store, lease: lease(), signer, checkpointsFile: path, logger: silentLogger, signal };
  const seal = (fileWithinMs: number) => sealHistory({ ...options, fileWithinMs });
  const silent = {
    code: 'SEAL-REFUSED',
    message: expect.stringContaining('does not answer: check the mount'),
  };
  await expect(seal(200)).rejects.toMatchObject(silent);
  // Without a deadline of its own to wait for.
  await expect(seal(3_600_000)).rejects.toMatchObject(silent);
});

test('sealing that hangs in the database ends, and the next one seals all', async () => {
  const { store, lease, signer, grow } = await openHistory();
  await grow();
  let hangs = true;
  const database: typeof store.database = {
    ...store.database,
    transact: (label, work, settings) =>
      store.database.transact(
        label,
        (tx) => (hangs && label === 'seal' ? new Promise(() => undefined) : work(tx)),
        settings,
      ),
  };
  const { signal } = new AbortController();
  const options = { database, lease: lease(), signer, checkpointsFile: null, logger: silentLogger, signal };
  await expect(sealHistory({ ...options, stalledAfterMs: 300 })).rejects.toMatchObject({
    code: 'JOB-STALLED',
  });
  hangs = false;
  expect(await sealHistory(options)).toBeGreaterThan(0);
});
