// Runs the demo during development, and alongside it the kit of the pages: compiles at every change
// and restarts
// both.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const node = (args) => spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });

const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
const children = [
  node([compiler, '-p', 'config/tsconfig.build.json', '--watch', '--preserveWatchOutput']),
  node(['--watch', '--watch-preserve-output', 'dist/src/cli/main.js', 'demo']),
  node(['--watch', '--watch-preserve-output', 'dist/scripts/kit.js']),
];
// Ctrl-C reaches the children too; this process waits until they have ended.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => children.forEach((child) => void child.kill(signal)));
