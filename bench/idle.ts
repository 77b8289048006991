// `npm run bench:idle`: what a daemon costs while nothing happens, with the schedules of the defaults and the
// memory settings of the image.
//
//   npm run bench:idle -- 100000 5
import type { ChildProcess } from 'node:child_process';
import { sleep } from '../src/base/loop.ts';
import { isRunning, settingsOfImage, startDaemon, stopDaemons } from './daemon.ts';
import { type BenchServer, freshDatabase, onBenchServer, withConnection } from './databases.ts';
import { startSandbox } from './helper-process.ts';
import { sandboxStarted } from './messages.ts';
import { type Memory, memory, processorMs } from './process-use.ts';
import { refuse } from './refuse.ts';

const transactions = Number(process.argv[2] ?? 100_000);
const minutes = Number(process.argv[3] ?? 5);
if (!(Number.isInteger(transactions) && transactions > 0 && minutes > 0))
  refuse('bench:idle -- [transactions [minutes]]');
if (process.platform !== 'linux')
  throw new Error('bench:idle reads /proc, which this system does not have: run it on Linux');

/** After its first sweep the daemon returns memory; what is measured then is what it keeps. */
const settlingMs = 120_000;
const jobs = ['transactions', 'balances', 'vaults', 'whitelist'];

await onBenchServer('bench-idle', measure);

async function measure(server: BenchServer): Promise<void> {
  const sandbox = startSandbox(transactions);
  const { url, apiKey } = await sandbox.receive(sandboxStarted);
  const database = await freshDatabase(server.postgres, 'bench_idle');
  const daemon = startDaemon({
    NODE_ENV: 'production',
    ...settingsOfImage(),
    LOG_LEVEL: 'warn',
    DATABASE_URL: database,
    CUSTODY_BASE_URL: url,
    CUSTODY_API_KEY: apiKey,
  });
  try {
    await untilMirrored(database, daemon, server.signal);
    await sleep(settlingMs, server.signal);
    const before = processorMs(daemon.pid);
    const from = performance.now();
    await sleep(minutes * 60_000, server.signal);
    report((processorMs(daemon.pid) - before) / (performance.now() - from), memory(daemon.pid));
  } finally {
    await stopDaemons([daemon]);
    await sandbox.stop();
  }
}

async function untilMirrored(database: string, daemon: ChildProcess, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(1_000, signal);
    if (!isRunning(daemon)) throw new Error('the daemon ended: see its messages above');
    const { rows } = await withConnection(database, (client) =>
      client.query<{ job: string }>(`select distinct job from sync.runs where status = 'succeeded'`),
    );
    if (jobs.every((job) => rows.some((row) => row.job === job))) return;
  }
}

function report(share: number, { ownMiB, residentMiB, peakMiB }: Memory): void {
  console.log(
    '| transactions | Node.js | processor | own memory | with files | at the most |\n|--:|---|--:|--:|--:|--:|',
  );
  const mebibytes = [ownMiB, residentMiB, peakMiB].map((figure) => `${figure.toFixed(0)} MiB`);
  console.log(
    `| ${transactions} | ${process.versions.node} | ${(100 * share).toFixed(2)} % | ${mebibytes.join(' | ')} |`,
  );
}
