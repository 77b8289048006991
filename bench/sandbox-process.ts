// The custody service that the bench mirrors: a frozen sandbox in its own process, which ends with the
// bench. It answers each message with its processor time and its number of requests. The message `change 100
// 50` first adds 100 transactions and changes 50.
import { createSandbox } from '../packages/sandbox/src/sandbox.ts';
import type { SandboxStarted, SandboxUsed } from './messages.ts';

const sandbox = createSandbox({
  transactions: Number(process.env['BENCH_TRANSACTIONS']),
  frozen: true,
  seed: 7,
});
const { url } = await sandbox.listen();
const started: SandboxStarted = { url, apiKey: sandbox.apiKey };
process.on('message', (message) => {
  const [, inserted, changed] = /^change (\d+) (\d+)$/.exec(String(message)) ?? [];
  change(Number(inserted ?? 0), Number(changed ?? 0));
  const { user, system } = process.cpuUsage();
  const used: SandboxUsed = { cpuSeconds: (user + system) / 1e6, requests: sandbox.requests.total };
  process.send?.(used);
});

/** Adds new transactions, and changes the status of open ones. */
function change(inserted: number, changed: number): void {
  const { world } = sandbox;
  const left = new Set<string>();
  if (changed > 0)
    for (const { transactionId, status } of world.transactions()) {
      if (status === 'pending' && left.size < changed) left.add(transactionId);
    }
  for (let count = 0; count < inserted; count += 1) world.insertTransaction('head', { status: 'pending' });
  const next = ['processing', 'confirming', 'completed', 'failed'] as const;
  for (const [index, id] of [...left].entries())
    world.alterTransaction(id, { status: next[index % next.length] ?? 'completed' });
}

process.on('disconnect', () => void sandbox.close());
process.send?.(started);
