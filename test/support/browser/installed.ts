// The browser of the tests: Chromium of the package @sparticuz/chromium, or the one that CHROMIUM_PATH names.
// The package holds a compressed program for x64 Linux, with the libraries and fonts that a small system
// lacks. It is unpacked once for each version: into a directory of its own, which then gets its name, so that
// files of tests may do that at the same time.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, lchownSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { clockEnvironment } from '../../../packages/demo/src/embedded-postgres/binaries.ts';

export interface InstalledBrowser {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const own = process.env['CHROMIUM_PATH'];
const cache = fileURLToPath(new URL('../../../node_modules/.cache/custody-mirror', import.meta.url));
const user = process.getuid?.() ?? 0;

/** Why no browser can be started on a machine; empty where one can. */
function reasonWithout(
  path: string | undefined,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'>,
): string {
  if (path) return existsSync(path) ? '' : `CHROMIUM_PATH names ${path}, which does not exist`;
  // The loader of glibc: the program does not run without it.
  if (platform === 'linux' && arch === 'x64' && existsSync('/lib64/ld-linux-x86-64.so.2')) return '';
  return `no browser comes for ${platform} on ${arch}; set CHROMIUM_PATH to a Chromium`;
}

/** Why none can be started here. */
export const missing = reasonWithout(own, process);

/** Unpacks the browser where that was not done before. */
export async function installBrowser(): Promise<InstalledBrowser> {
  if (own) return { executablePath: own, env: process.env };
  const directory = await unpacked(cache);
  return {
    executablePath: join(directory, 'chromium'),
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      ...clockEnvironment(),
      LD_LIBRARY_PATH: join(directory, 'al2023/lib'),
      FONTCONFIG_FILE: join(directory, 'fonts.conf'),
      XDG_CACHE_HOME: join(directory, 'cache'),
    },
  };
}

/**
 * The directory of the program: beside the packages, else, where we may not write there, among the temporary
 * files.
 */
async function unpacked(preferred: string): Promise<string> {
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(dirname(main), '../../package.json'), 'utf8')) as {
    readonly version: string;
  };
  const name = `chromium-${version}`;
  if (existsSync(join(preferred, name))) return join(preferred, name);
  try {
    return await unpackTo(preferred, name, main);
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
  const parent = join(tmpdir(), `custody-mirror-tests-${user}`);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(parent);
  if (uid !== user || (mode & 0o022) !== 0)
    throw new Error(`${parent} can be written by somebody else; remove it`);
  return existsSync(join(parent, name)) ? join(parent, name) : await unpackTo(parent, name, main);
}

const isRefused = (error: unknown) =>
  error instanceof Error && 'code' in error && ['EACCES', 'EROFS', 'EPERM'].includes(String(error.code));

async function unpackTo(parent: string, name: string, main: string): Promise<string> {
  mkdirSync(parent, { recursive: true });
  await removeOthers(parent, name);
  const fresh = join(parent, `${name}.${process.pid}.${randomUUID()}`);
  mkdirSync(fresh);
  try {
    // The package unpacks to the temporary directory, and its libraries only where it takes the machine for
    // one of Amazon.
    await promisify(execFile)(process.execPath, ['-e', 'require(process.argv[1]).executablePath()', main], {
      env: { PATH: process.env['PATH'], TMPDIR: fresh, AWS_EXECUTION_ENV: 'nodejs20.x' },
    });
    makeOurs(fresh);
    chmodSync(join(fresh, 'chromium'), 0o755);
    await writeFile(join(fresh, 'fonts.conf'), fonts);
    await rename(fresh, join(parent, name));
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Somebody else was faster.
    if (!existsSync(join(parent, name))) throw error;
  }
  return join(parent, name);
}

/** Root unpacks files for the accounts that packed them. */
function makeOurs(directory: string): void {
  if (user !== 0) return;
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(directory, path), 0, 0);
}

/**
 * Its own font comes first, so that pages have the same lines everywhere; those of the system know other
 * scripts.
 */
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir prefix="relative">fonts/fonts</dir>
<dir>/usr/share/fonts</dir>
<cachedir prefix="xdg">fontconfig</cachedir>
<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family><family>Liberation Mono</family></prefer></alias>
<match><edit name="family" mode="append"><string>Open Sans</string></edit></match>
</fontconfig>
`;

/** Removes other versions, and what a process left that was killed while it unpacked. */
async function removeOthers(parent: string, name: string): Promise<void> {
  const others = readdirSync(parent).filter((entry) => /^chromium-/.test(entry) && entry !== name);
  for (const entry of others) {
    const pid = entry.startsWith(`${name}.`) ? entry.slice(name.length).split('.')[1] : undefined;
    if (pid !== undefined && isRunning(Number(pid))) continue;
    await rm(join(parent, entry), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
