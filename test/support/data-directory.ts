// Where the servers of tests keep their data. A run makes and drops hundreds of databases of some three
// hundred files each, and some file systems take longer to make these files than PostgreSQL takes for
// everything else, so that memory is taken where there is plenty.
import { randomBytes } from 'node:crypto';
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, on Linux. A container often has a small one. */
const inMemory = '/dev/shm';
/** A run needs less than half a gigabyte. */
const plenty = 2 * 2 ** 30;

/** A directory that does not exist yet, for the data of a server whose data nobody needs after the test. */
export function newDataDirectory(name: string): string {
  return join(hasPlenty() ? inMemory : tmpdir(), `${name}-${randomBytes(5).toString('hex')}`);
}

function hasPlenty(): boolean {
  try {
    accessSync(inMemory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= plenty && process.availableMemory() >= 2 * plenty;
  } catch {
    return false;
  }
}
