// Named pipes whose reader does what a test wants: reads nothing until it is asked to, or is gone.
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { onCleanup } from './cleanup.ts';
import { newFolder } from './folder.ts';

export interface Pipe {
  /** Where a process writes. */
  readonly fd: number;
  /** What was written and not yet read, at most so many bytes. */
  read(most?: number): string;
  /** Has nobody at the other end: each write fails with EPIPE. */
  closeReader(): void;
}

export function openPipe(): Pipe {
  const path = join(newFolder(), 'pipe');
  if (spawnSync('mkfifo', [path]).status !== 0) throw new Error('mkfifo failed');
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY);
  const decoder = new StringDecoder('utf8');
  let isRead = true;
  onCleanup(async () => {
    closeSync(fd);
    if (isRead) closeSync(reader);
  });
  return {
    fd,
    read(most = 65_536) {
      const buffer = Buffer.alloc(most);
      try {
        return decoder.write(buffer.subarray(0, readSync(reader, buffer)));
      } catch (error) {
        if (isNothingThere(error)) return '';
        throw error;
      }
    },
    closeReader() {
      isRead = false;
      closeSync(reader);
    },
  };
}

/** A pipe that nobody reads, and that takes no further byte. */
export function openFullPipe(): Pipe {
  const pipe = openPipe();
  const filler = openSync(`/dev/fd/${pipe.fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    for (;;) writeSync(filler, '-'.repeat(4_095).concat('\n'));
  } catch (error) {
    if (!isNothingThere(error)) throw error;
  } finally {
    closeSync(filler);
  }
  return pipe;
}

function isNothingThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
