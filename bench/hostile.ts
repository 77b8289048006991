// `npm run bench:hostile`: what answers that are well-formed and as dear as they can be do to a daemon: how
// long it works on one, the longest wait for /healthz meanwhile, and its memory, as the image sets it.
//
//   npm run bench:hostile -- 15 "small records"
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from '../src/base/loop.ts';
import { isRunning, settingsOfImage, startDaemon, stopDaemons } from './daemon.ts';
import { type BenchServer, freshDatabase, onBenchServer, withConnection } from './databases.ts';
import { type Answers, hostileShapes } from './hostile-shapes.ts';
import { memory } from './process-use.ts';
import { refuse } from './refuse.ts';

const mebibytes = Number(process.argv[2] ?? 15);
const shapes = Object.entries(hostileShapes).filter(([name]) => (process.argv[3] ?? name) === name);
if (!(mebibytes > 0 && mebibytes < 16) || shapes.length === 0)
  refuse('bench:hostile -- [MiB below 16 [shape]]');
if (process.platform !== 'linux')
  throw new Error('bench:hostile reads /proc, which this system does not have: run it on Linux');

await onBenchServer('bench-hostile', async (server) => {
  console.log('| answer | run | took | /healthz at the most | refused or lost | memory at the most |');
  console.log('|---|---|--:|--:|--:|--:|');
  for (const [name, make] of shapes) await measure(name, make(mebibytes * 2 ** 20), server);
});

async function measure(name: string, answers: Answers, { postgres, signal }: BenchServer): Promise<void> {
  const service = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answers(url));
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const database = await freshDatabase(postgres, `bench_hostile_${Object.keys(hostileShapes).indexOf(name)}`);
  const probesPort = 20_000 + Math.floor(Math.random() * 10_000);
  const settings = settingsOfImage();
  const daemon = startDaemon({
    NODE_ENV: 'production',
    ...settings,
    // As Node.js itself sets it in a container of 512 MiB (docs/container.md).
    NODE_OPTIONS: `${settings['NODE_OPTIONS'] ?? ''} --max-old-space-size=259`,
    LOG_LEVEL: 'warn',
    DATABASE_URL: database,
    CUSTODY_BASE_URL: `http://127.0.0.1:${port}`,
    CUSTODY_API_KEY: 'key',
    CUSTODY_RESOURCES: 'transactions',
    HTTP_PROBES_PORT: String(probesPort),
  });
  try {
    const began = performance.now();
    let longest = 0;
    let failures: number | null = null;
    let status: string | undefined;
    while (status === undefined && isRunning(daemon)) {
      await sleep(50, signal);
      const asked = performance.now();
      const answer = await fetch(`http://127.0.0.1:${probesPort}/healthz`).catch(() => null);
      // It cannot be reached before it listens.
      if (answer?.ok) failures ??= 0;
      else if (failures !== null) failures += 1;
      if (failures !== null) longest = Math.max(longest, performance.now() - asked);
      status = await withConnection(database, (client) =>
        client.query<{ status: string }>(`select concat_ws(' ', status, error_code) as status from sync.runs
          where job = 'transactions' and status <> 'running' limit 1`),
      ).then(({ rows }) => rows[0]?.status);
    }
    const figures = [
      `${((performance.now() - began) / 1000).toFixed(1)} s`,
      `${longest.toFixed(0)} ms`,
      String(failures ?? 'all'),
      isRunning(daemon) ? `${memory(daemon.pid).peakMiB.toFixed(0)} MiB` : '',
    ];
    console.log(`| ${name} | ${status ?? 'the daemon ended'} | ${figures.join(' | ')} |`);
  } finally {
    await stopDaemons([daemon]);
    service.closeAllConnections();
    service.close();
  }
}
