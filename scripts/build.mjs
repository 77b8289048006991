// Compiles src/, the packages, drizzle/ and bench/ to dist/ from scratch, so that no deleted file remains
// there, and writes the declarations of the client, which other programs import. What browsers load, and the
// description of the API, is copied as it is. drizzle.config.ts is left out: it is for development, and imports
// what is not installed with the package. The old dist/ stays until the new one is complete, for a build that
// fails, and for programs that run meanwhile. With --no-check types are not checked, which is most of the work;
// with --if-stale nothing is done while dist/ is newer than all that it is made of.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const fresh = `${root}/dist.new-${process.pid}`;
const old = `${root}/dist.old-${process.pid}`;
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
if (!existsSync(compiler)) {
  process.stderr.write(
    'The compiler is not installed, because it is a development dependency. Run npm ci without --omit=dev.\n',
  );
  process.exit(1);
}
if (process.argv.includes('--if-stale') && !isStale()) process.exit(0);
const compiled = await Promise.all(
  ['config/tsconfig.build.json', 'config/tsconfig.client.json'].map((project) => compile(project)),
);
const status = compiled.find((code) => code !== 0) ?? 0;
if (status === 0) {
  nameCompiledFiles(`${fresh}/packages/client/src`);
  cpSync(`${root}/packages/pages/src/assets`, `${fresh}/packages/pages/src/assets`, { recursive: true });
  cpSync(`${root}/docs/openapi.json`, `${fresh}/docs/openapi.json`);
  chmodSync(`${fresh}/src/cli/main.js`, 0o755);
  try {
    renameSync(`${root}/dist`, old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  renameSync(fresh, `${root}/dist`);
}
for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
process.exitCode = status;

/** Whether dist/ is missing or older than a source; a folder is newer too when a file of it was deleted. */
function isStale() {
  if (!existsSync(`${root}/dist/src/cli/main.js`)) return true;
  const built = statSync(`${root}/dist/src/cli/main.js`).mtimeMs;
  const isNewer = (path) => statSync(`${root}/${path}`).mtimeMs > built;
  // The document that is copied, the compiler's options and version, and whether files are modules. Migrations
  // are read where they are.
  if (['docs/openapi.json', 'tsconfig.json', 'package.json', 'package-lock.json'].some(isNewer)) return true;
  return ['src', 'packages', 'drizzle', 'bench', 'scripts', 'config'].some((folder) =>
    ['', ...readdirSync(`${root}/${folder}`, { recursive: true })]
      .filter((path) => !/(^|\/)(node_modules|test)(\/|$)/.test(path))
      .some((path) => isNewer(`${folder}/${path}`)),
  );
}

async function compile(project) {
  const unchecked = process.argv.includes('--no-check') ? ['--noCheck'] : [];
  const options = [compiler, '-p', project, '--outDir', fresh, ...unchecked];
  const [code] = await once(spawn(process.execPath, options, { cwd: root, stdio: 'inherit' }), 'close');
  return code ?? 1;
}

/** The compiler leaves names of sources in declarations; other versions of it, and Deno, look for those. */
function nameCompiledFiles(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.d.ts'));
  for (const name of names) {
    const text = readFileSync(`${folder}/${name}`, 'utf8');
    writeFileSync(
      `${folder}/${name}`,
      text.replace(/((?:from |import\()['"]\.{1,2}\/[\w/-]+)\.ts(?=['"])/g, '$1.js'),
    );
  }
}
