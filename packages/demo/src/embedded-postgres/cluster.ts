// The data directory of an embedded PostgreSQL: where it is, how it is created (completely or not at all),
// its password, and whether a server is running in it.
import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { sleep } from '../../../../src/base/loop.ts';
import { errorCode, MirrorError } from '../../../../src/domain/errors.ts';
import { type Account, canEnter, type Programs, sharedDirectories } from './binaries.ts';
import { spawnWatched } from './process.ts';

export const superuser = 'postgres';
const passwordFile = 'custody-mirror.password';

export interface Place {
  readonly directory: string;
  /** Who owns the cluster and runs its server. */
  readonly account: Account;
}

/** @throws MirrorError `DEVELOPMENT-ONLY` when the directory cannot be made or written to */
function makeWritable(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new MirrorError(
      'DEVELOPMENT-ONLY',
      `PostgreSQL's data cannot be written to ${directory} (${errorCode(error)}): start it in a folder that you may write to`,
      { cause: error },
    );
  }
}

/**
 * Chooses the directory and the account of a cluster. The directory is the wished one if its owner, or else
 * the given account, can enter it; if not, it is one below a shared temporary directory, always the same for
 * the same wish.
 */
export function placeCluster(wished: string, unprivileged: Account): Place {
  const directory = resolve(wished);
  const parent = dirname(directory);
  makeWritable(parent);
  const account = ownerOf(directory) ?? unprivileged;
  if (canEnter(account, parent)) return { directory, account };
  const shared = sharedDirectories(account, ['/var/tmp'])[0];
  if (shared === undefined)
    throw new MirrorError(
      'DEVELOPMENT-ONLY',
      `no directory for PostgreSQL's data: ${parent} cannot be entered`,
    );
  const key = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  const elsewhere = join(shared, `custody-mirror-data-${key}`);
  // Everybody can write to a temporary directory, so the owner must be checked.
  const owner = ownerOf(elsewhere);
  if (owner !== null && owner.uid !== unprivileged?.uid) throw foreign(elsewhere, owner.uid);
  return { directory: elsewhere, account: unprivileged };
}

/**
 * The owner of an existing cluster, if root has to act as that account; null for us, or when there is no
 * cluster.
 */
function ownerOf(directory: string): Account {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isDirectory())
    throw new MirrorError(
      'DATABASE-REFUSED',
      `${directory} is not a directory, so it cannot hold PostgreSQL's data`,
    );
  const self = process.getuid?.();
  if (found.uid === self) return null;
  if (self !== 0) throw foreign(directory, found.uid);
  return { uid: found.uid, gid: found.gid };
}

function foreign(directory: string, uid: number): MirrorError {
  return new MirrorError(
    'DATABASE-REFUSED',
    `${directory} belongs to another account (uid ${uid}); remove it, or run as that account`,
  );
}

/** Creates the cluster unless it exists, and returns its superuser's password. */
export async function prepareCluster(
  directory: string,
  programs: Programs,
  account: Account,
  signal: AbortSignal,
): Promise<string> {
  if (!existsSync(join(directory, 'PG_VERSION'))) await createCluster(directory, programs, account, signal);
  const major = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  if (major !== programs.major)
    throw new MirrorError(
      'DATABASE-REFUSED',
      `${directory} was made by PostgreSQL ${major} and this is PostgreSQL ${programs.major}; remove the directory to start with an empty one`,
    );
  return readFileSync(join(directory, passwordFile), 'utf8');
}

/**
 * Creates the cluster in a temporary directory and moves it when it is complete, so that a killed start
 * leaves no half.
 */
async function createCluster(
  directory: string,
  programs: Programs,
  account: Account,
  signal: AbortSignal,
): Promise<void> {
  removeAbandoned(directory);
  const fresh = `${directory}.new-${randomBytes(6).toString('hex')}`;
  const data = join(fresh, 'data');
  const password = join(fresh, 'password');
  try {
    mkdirSync(fresh, { mode: 0o700 });
    writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' });
    if (account !== null) for (const path of [fresh, password]) chownSync(path, account.uid, account.gid);
    const options = [
      '--encoding=UTF8',
      '--locale=C',
      '--auth=scram-sha-256',
      '--no-sync',
      '--no-instructions',
    ];
    await runInitdb(
      [programs.initdb, `--pgdata=${data}`, `--username=${superuser}`, `--pwfile=${password}`, ...options],
      account,
      fresh,
      signal,
    );
    renameSync(password, join(data, passwordFile));
    renameSync(data, directory);
  } catch (error) {
    // Another start may have been first; its cluster is as good.
    if (existsSync(join(directory, 'PG_VERSION'))) return;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    throw new MirrorError(
      'DATABASE-REFUSED',
      `${directory} holds other files; PostgreSQL needs a separate directory`,
    );
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

async function runInitdb(
  command: readonly string[],
  account: Account,
  discard: string,
  signal: AbortSignal,
): Promise<void> {
  const { child, stderr, ended } = spawnWatched(command, account, discard);
  let complaints = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4000);
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  await ended;
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  if (child.exitCode !== 0) throw new MirrorError('DEVELOPMENT-ONLY', `initdb failed: ${complaints.trim()}`);
}

/** Removes the temporary directories that killed starts left behind. */
function removeAbandoned(directory: string): void {
  const prefix = `${basename(directory)}.new-`;
  const longAgo = Date.now() - 600_000;
  for (const name of readdirSync(dirname(directory)).filter((found) => found.startsWith(prefix))) {
    const path = join(dirname(directory), name);
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (made < longAgo) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Waits until no server runs in the cluster: waits for one that is stopping, and removes the lock file of one
 * that was killed.
 *
 * @throws MirrorError `DATABASE-REFUSED` naming the process of a server that keeps running
 */
export async function waitUntilFree(directory: string, signal: AbortSignal): Promise<void> {
  const beganAt = performance.now();
  for (;;) {
    const found = postmasterOf(directory);
    if (found === null) return;
    const waitMs = found.stopping ? 30_000 : 2_000;
    if (performance.now() - beganAt > waitMs)
      throw new MirrorError(
        'DATABASE-REFUSED',
        `a PostgreSQL is running in ${directory} (process ${found.pid}); stop the program that started it, or run kill -INT ${found.pid}`,
      );
    await sleep(100, signal);
  }
}

function postmasterOf(directory: string): { readonly pid: number; readonly stopping: boolean } | null {
  const lockFile = join(directory, 'postmaster.pid');
  if (!existsSync(lockFile)) return null;
  const lines = readFileSync(lockFile, 'utf8').split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (isPostgres(pid)) return { pid, stopping: lines[7]?.trim() === 'stopping' };
  // PostgreSQL would take any process with that number for its own server, and refuse to start.
  rmSync(lockFile, { force: true });
  return null;
}

/**
 * True when the process runs and is a PostgreSQL. After a kill or a restart, another process may have its
 * number.
 */
function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  // Without /proc, every running process counts.
  if (!existsSync('/proc/self/comm')) return true;
  const read = (file: string) => {
    const path = `/proc/${pid}/${file}`;
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  };
  // A zombie process keeps its name and has no command line.
  return read('comm') === 'postgres' && read('cmdline') !== '';
}
