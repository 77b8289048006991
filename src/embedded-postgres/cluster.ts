// The directory of an embedded cluster: where it can be, how it comes to exist (whole or not at all), which password it
// has, and whether a server is at work in it.
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
import { sleep } from '../base/loop.ts';
import { errorCode, MirrorError } from '../domain/errors.ts';
import { type Account, canEnter, type Programs, sharedDirectories } from './binaries.ts';
import { spawnWatched } from './process.ts';

export const superuser = 'postgres';
const passwordFile = 'custody-mirror.password';

export interface Place {
  readonly directory: string;
  /** Who owns the cluster and runs its server. */
  readonly account: Account;
}

/** @throws MirrorError `DEVELOPMENT-ONLY` where it cannot be made, or be written to */
function makeWritable(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new MirrorError(
      'DEVELOPMENT-ONLY',
      `PostgreSQL's data cannot be kept in ${directory} (${errorCode(error)}): start it in a folder that you may write to`,
      { cause: error },
    );
  }
}

/**
 * Where the wished cluster is: there, as the account that owns it or else as the one given; or, where that account
 * cannot get there, below a shared temporary directory, in a place of its own that is the same for the same wish.
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
  // Anybody could have made a directory of that name in a place that is open to all.
  const owner = ownerOf(elsewhere);
  if (owner !== null && owner.uid !== unprivileged?.uid) throw foreign(elsewhere, owner.uid);
  return { directory: elsewhere, account: unprivileged };
}

/** The owner of an existing cluster, where root is to act as somebody else; null for us, or when there is none. */
function ownerOf(directory: string): Account {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isDirectory())
    throw new MirrorError(
      'DATABASE-REFUSED',
      `${directory} should be PostgreSQL's data directory and is none`,
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
      `${directory} was made by PostgreSQL ${major} and this is PostgreSQL ${programs.major}; remove the directory to begin anew`,
    );
  return readFileSync(join(directory, passwordFile), 'utf8');
}

/** Makes the cluster beside its place and moves it there when it is whole, so that a killed start leaves none half made. */
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
    // A start beside ours may have been first; its cluster is as good.
    if (existsSync(join(directory, 'PG_VERSION'))) return;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    throw new MirrorError(
      'DATABASE-REFUSED',
      `${directory} holds other files; PostgreSQL needs a directory of its own`,
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

/** Removes what starts that were killed have left beside the cluster. */
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
 * Makes sure that no server is at work in the cluster: waits for one that is stopping, forgets one that was killed.
 *
 * @throws MirrorError `DATABASE-REFUSED` naming the process of a server that goes on
 */
export async function awaitVacancy(directory: string, signal: AbortSignal): Promise<void> {
  const beganAt = performance.now();
  for (;;) {
    const found = postmasterOf(directory);
    if (found === null) return;
    const patienceMs = found.stopping ? 30_000 : 2_000;
    if (performance.now() - beganAt > patienceMs)
      throw new MirrorError(
        'DATABASE-REFUSED',
        `a PostgreSQL is at work in ${directory} (process ${found.pid}); end what started it, or kill -INT ${found.pid}`,
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
  // PostgreSQL takes any process with that number for a server of its own account, and would refuse to start.
  rmSync(lockFile, { force: true });
  return null;
}

/** Whether a process lives and is a PostgreSQL: after a kill or a restart of the machine its number may be another's. */
function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  // Where there is no /proc to tell, whatever lives is taken for one.
  if (!existsSync('/proc/self/comm')) return true;
  const told = (file: string) => {
    const path = `/proc/${pid}/${file}`;
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  };
  // A process that has ended but was not yet waited for keeps its name and loses its command line.
  return told('comm') === 'postgres' && told('cmdline') !== '';
}
