// `npm run bench:scale`: the same work on mirrors of different sizes, to see what grows with the mirror. A
// month holds as much in each.
//
//   npm run bench:scale -- 1000000 10000000
import { apiRequests } from './api-requests.ts';
import {
  type BenchServer,
  dropDatabase,
  freshDatabase,
  onBenchServer,
  openBenchDatabase,
  withConnection,
} from './databases.ts';
import { startHelper } from './helper-process.ts';
import { apiStarted } from './messages.ts';
import { percentile, timesOf } from './percentile.ts';
import { read } from './read.ts';
import { refuse } from './refuse.ts';
import { reportQueries } from './reporting-queries.ts';
import { mirrorService } from './scale-cycles.ts';
import { buildScaleData, scaleSize } from './scale-data.ts';
import { mirrorWork, type Work } from './scale-work.ts';

const usual = [1_000_000, 10_000_000];
/** Work that takes long is measured once more; other work is warmed up by it. */
const longMs = 2_000;
const rounds = 7;

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : usual;
if (sizes.some((size) => !Number.isInteger(size) || size < 1_000))
  refuse('bench:scale -- [transactions …], each at least 1000');

await onBenchServer('bench-scale', async (server) => {
  const medians = new Map<string, number[]>();
  for (const [index, size] of sizes.entries()) {
    console.log(`${size} transactions`);
    const measured = await measureSize(server, size);
    for (const [name, ms] of measured) {
      const known = medians.get(name) ?? [];
      known[index] = ms;
      medians.set(name, known);
    }
  }
  console.log(`\n| work | ${sizes.join(' | ')} | × |\n|---|${sizes.map(() => '--:|').join('')}--:|`);
  for (const [name, found] of medians) {
    const told = sizes.map((_, index) => found[index]?.toFixed(1) ?? '');
    const growth = (found[sizes.length - 1] ?? Number.NaN) / (found[0] ?? Number.NaN);
    console.log(`| ${name} | ${told.join(' | ')} | ${growth.toFixed(1)} |`);
  }
});

/** @returns median milliseconds, by the name of the work */
async function measureSize(
  { postgres, signal }: BenchServer,
  transactions: number,
): Promise<Map<string, number>> {
  const url = await freshDatabase(postgres, 'bench_scale');
  const service = await mirrorService(url);
  const database = openBenchDatabase(url);
  const api = startHelper({ file: './api-process.js', env: { DATABASE_URL: url } });
  const { url: base } = await api.receive(apiStarted);
  try {
    return await withConnection(url, async (client) => {
      await buildScaleData(client, scaleSize(transactions), signal);
      const medians = new Map(await service.measureCycles(rounds));
      for (const [name, ms] of medians) console.log(`  ${name}: ${ms.toFixed(1)} ms`);
      const newest = await client.query<{ id: string }>(
        'select transaction_id as id from custody.transactions order by first_seen_at desc limit 200',
      );
      const measure = async ({ name, run }: Work) => {
        signal.throwIfAborted();
        const [first = 0] = await timesOf(run, { rounds: 1, warming: 0 });
        const times = await timesOf(run, { rounds: first > longMs ? 1 : rounds, warming: 0 });
        medians.set(name, percentile(times, 50));
        console.log(`  ${name}: ${medians.get(name)?.toFixed(1)} ms`);
      };
      for (const work of await mirrorWork(
        database,
        newest.rows.map(({ id }) => id),
      ))
        await measure(work);
      await measure({ name: 'metrics', run: () => read(`${base}/metrics`) });
      for (const { path, among = '' } of await apiRequests(client, transactions))
        await measure({
          name: `${described(path, transactions)} ${among}`.trim(),
          run: () => read(base + path),
        });
      for (const { view, asked, sql } of reportQueries)
        await measure({ name: `${view}, ${asked}`, run: () => client.query(sql) });
      return medians;
    });
  } finally {
    await service.stop();
    await api.stop();
    await database.close();
    await dropDatabase(postgres, 'bench_scale');
  }
}

/** An offset as a share of the list, and no other values, which differ from size to size. */
function described(path: string, transactions: number): string {
  return path
    .replace(/offset=(\d+)/, (_, offset) => `offset at ${(100 * Number(offset)) / transactions} %`)
    .replace(/=[^&]*/g, '=…');
}
