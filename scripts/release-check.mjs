// What must hold before a release, step after step, each to its end; then says which failed. It takes some
// seven hours, of which the soak takes four. With --dry-run it says what it would run.
//
//   node scripts/release-check.mjs [--dry-run]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { argumentsGiven } from './arguments-given.mjs';

const { values } = argumentsGiven('release:check', { 'dry-run': { type: 'boolean' } });
const root = fileURLToPath(new URL('..', import.meta.url));
const untouched = 'test -z "$(git status --porcelain)"';
const steps = [
  ['all is committed', untouched],
  ['it holds', 'bash .ci/run'],
  ['without the development dependencies it has no known vulnerability', 'node scripts/audit.mjs'],
  ['on each Node.js and PostgreSQL', 'npm run test:matrix'],
  ['at other dates', 'npm run test:dates'],
  ['however it is killed', 'npm run test:crash'],
  ['the model, for long', 'npm run test:soak'],
  ['two daemons, for hours', 'npm run test:soak:daemon'],
  ['the image', 'bash test/system/container/image.sh'],
  ['Compose', 'bash test/system/container/compose.sh'],
  ['Compose with two accounts', 'bash test/system/container/accounts.sh'],
  ['what is generated is what the sources say', `npm run generate && ${untouched}`],
];

const failed = steps.filter(([what, command]) => {
  console.log(`=== ${what}: ${command}`);
  if (values['dry-run']) return false;
  return spawnSync('bash', ['-c', command], { cwd: root, stdio: 'inherit' }).status !== 0;
});
for (const [what] of failed) console.error(`=== FAILED: ${what}`);
process.exitCode = failed.length === 0 ? 0 : 1;
