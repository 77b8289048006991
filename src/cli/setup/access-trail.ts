// Where the access trail goes: to the log, or to a file. Invariant: a line is written at once or waits in a
// bounded buffer, so neither a full disk nor a pipe without a reader holds up an answer.
import { constants, openSync } from 'node:fs';
import { createOutput } from '../../base/output.ts';
import { errorCode, MirrorError } from '../../domain/errors.ts';
import type { AccessTrail } from '../../http/access/observe.ts';
import type { CommandScope } from './command-scope.ts';

/** Bytes that wait while the file takes nothing. */
const maxWaiting = 1_048_576;
const settleMs = 500;
/** With O_RDWR the start does not wait for the reader of a pipe. */
const flags =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * @param target HTTP_ACCESS_LOG: `off`, `log` or the path of a file
 * @throws MirrorError `CONFIGURATION` when the file cannot be opened
 */
export function openTrail(target: string, { logger, metrics, releasers }: CommandScope): AccessTrail | null {
  if (target === 'off') return null;
  if (target === 'log') return ({ time: _, ...fields }) => logger.info(fields, 'reader answered');
  const output = createOutput({ fd: open(target) }, maxWaiting);
  let isDropping = false;
  output.watch({
    onDrop: () => {
      metrics.accessLinesDropped.inc();
      if (!isDropping) logger.warn({ file: target }, 'the access trail cannot be written');
      isDropping = true;
    },
    onTaken: (lines) => {
      isDropping = false;
      logger.warn({ lines }, 'lines of the access trail were dropped');
    },
  });
  releasers.add('access trail', async () => void (await output.settle(settleMs)));
  return (record) => output.write(`${JSON.stringify(record)}\n`);
}

function open(path: string): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    const message = `HTTP_ACCESS_LOG: ${path} cannot be opened (${errorCode(error)}): name a file that this user can write`;
    throw new MirrorError('CONFIGURATION', message, { cause: error });
  }
}
