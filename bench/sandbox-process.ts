// The custody service that the bench mirrors: a frozen sandbox in a process of its own. Answers each message with the
// processor time it has used, and ends with the one who started it.
import { createSandbox } from '../src/sandbox/sandbox.ts';
import type { SandboxStarted, SandboxUsed } from './messages.ts';

const sandbox = createSandbox({
  transactions: Number(process.env['BENCH_TRANSACTIONS']),
  frozen: true,
  seed: 7,
});
const { url } = await sandbox.listen();
const started: SandboxStarted = { url, apiKey: sandbox.apiKey };
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const used: SandboxUsed = { cpuSeconds: (user + system) / 1e6 };
  process.send?.(used);
});
process.on('disconnect', () => void sandbox.close());
process.send?.(started);
