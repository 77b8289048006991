// Compiles src/, drizzle/ and bench/ to dist/ from scratch, so that no deleted file remains there. The old dist/ stays until the
// new one is complete, for a build that fails, and for programs that run meanwhile.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
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
const result = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', fresh], {
  cwd: root,
  stdio: 'inherit',
});
if (result.status === 0) {
  chmodSync(`${fresh}/src/cli/main.js`, 0o755);
  try {
    renameSync(`${root}/dist`, old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  renameSync(fresh, `${root}/dist`);
}
for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
process.exitCode = result.status ?? 1;
