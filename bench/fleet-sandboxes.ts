// The custody services of many accounts in one process, which ends with the bench: a sandbox and a port for
// each account. It answers `used` with what was used since the message before, `move` and `stand` when the
// accounts change or have stopped, and `worlds` with a digest of the transactions of each.
import { createHash } from 'node:crypto';
import { createSandbox, type Sandbox } from '../packages/sandbox/src/sandbox.ts';
import type { FleetSandboxesUsed, SandboxStarted, World } from './messages.ts';

const sandboxes = Array.from({ length: Number(process.env['BENCH_ACCOUNTS']) }, (_, index) =>
  createSandbox({
    transactions: Number(process.env['BENCH_TRANSACTIONS']),
    seed: index + 1,
    newPerMinute: 2,
    apiKey: `key-of-account-${index}`,
  }),
);
const started: SandboxStarted[] = [];
for (const sandbox of sandboxes) started.push({ url: (await sandbox.listen()).url, apiKey: sandbox.apiKey });

let peak = 0;
let before = total();
let counted = before;
setInterval(() => {
  const now = total();
  peak = Math.max(peak, now - counted);
  counted = now;
}, 1_000).unref();

process.on('message', (message) => {
  if (message === 'move') for (const sandbox of sandboxes) sandbox.start();
  if (message === 'stand') for (const sandbox of sandboxes) sandbox.stop();
  process.send?.(message === 'worlds' ? sandboxes.map(worldOf) : used());
});
process.on('disconnect', () => void Promise.all(sandboxes.map((sandbox) => sandbox.close())));
process.send?.(started);

function total(): number {
  return sandboxes.reduce((sum, { requests }) => sum + requests.total, 0);
}

function used(): FleetSandboxesUsed {
  const now = total();
  const answer = { requests: now - before, peak };
  before = now;
  counted = now;
  peak = 0;
  return answer;
}

/** The same lines as in `mirroredWorlds`. */
function worldOf({ world }: Sandbox): World {
  const lines = [...world.transactions()]
    .map(({ transactionId, status, amount }) => `${transactionId} ${status} ${amount}`)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return { transactions: lines.length, digest: createHash('md5').update(lines.join('\n')).digest('hex') };
}
