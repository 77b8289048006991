// `npm run bench:api`: builds a mirror of a million transactions in an embedded PostgreSQL and asks the read
// API for pages and for all of it as CSV, alongside the same SQL without the API; then for 200
// requests a second
// while another account is swept. `-- sweeps 5` measures only these sweeps, in so many rounds.
import { type ApiRequest, apiRequests } from './api-requests.ts';
import { type BenchServer, freshDatabase, onBenchServer, withConnection } from './databases.ts';
import { type HelperProcess, startHelper, startMirror, startSandbox } from './helper-process.ts';
import { apiStarted, apiUsed, mirrorReady, mirrorReport, sandboxStarted } from './messages.ts';
import { parseBenchOptions } from './options.ts';
import { percentile, timesOf } from './percentile.ts';
import { BadAnswer, read } from './read.ts';
import { refuse } from './refuse.ts';
import { buildStandingMirror } from './reporting-data.ts';
import { millionInThreeYears as size } from './reporting-size.ts';

const askedRounds = { rounds: 60, warming: 3 };
/** The bare SQL knows nothing of the index of the filters, and may take seconds. */
const bareRounds = { rounds: 5, warming: 3 };
const requestsPerSecond = 200;
const swept = 100_000;
const [part, rounds = '2'] = process.argv.slice(2);
if ((part !== undefined && part !== 'sweeps') || !/^[1-9]\d?$/.test(rounds))
  refuse('bench:api [-- sweeps 5]');

await onBenchServer('bench-api', async (server) => {
  const url = await freshDatabase(server.postgres, 'bench_api');
  await withConnection(url, (client) => buildStandingMirror(client, size, server.signal));
  if (part === undefined) await measureReading(url);
  for (const rateLimit of ['off', '50']) await measureLoad(server, url, rateLimit);
});

async function measureReading(url: string): Promise<void> {
  const api = startHelper({ file: './api-process.js', env: { DATABASE_URL: url } });
  const { url: base } = await api.receive(apiStarted);
  await measurePages(url, base);
  await measureCsv(url, base, api);
  await api.stop();
}

async function measurePages(url: string, base: string): Promise<void> {
  console.log('| request | p50 ms | p95 ms | bare SQL p50 | ratio |\n|---|--:|--:|--:|--:|');
  await withConnection(url, async (client) => {
    for (const request of await apiRequests(client, size.transactions)) {
      const ofApi = await timesOf(() => read(base + request.path), askedRounds);
      const ofSql = await timesOf(() => client.query(request.sql), bareRounds);
      tell(request, ofApi, ofSql);
    }
  });
}

function tell({ path, among }: ApiRequest, asked: readonly number[], bare: readonly number[]): void {
  const [p50, bareP50] = [percentile(asked, 50), percentile(bare, 50)];
  const times = [p50, percentile(asked, 95), bareP50].map((ms) => ms.toFixed(1));
  const what = among === undefined ? `\`${path}\`` : `\`${path}\` (${among})`;
  console.log(`| ${what} | ${times.join(' | ')} | ${(p50 / bareP50).toFixed(2)} |`);
}

/** All rows as CSV, and the same from COPY. */
async function measureCsv(url: string, base: string, api: HelperProcess): Promise<void> {
  api.send('used');
  const { peakRssBytes: before } = await api.receive(apiUsed);
  const startedAt = performance.now();
  const bytes = await read(`${base}/api/v1/transactions.csv`);
  const seconds = (performance.now() - startedAt) / 1000;
  api.send('used');
  const { peakRssBytes: peak } = await api.receive(apiUsed);
  const bareAt = performance.now();
  await withConnection(url, (client) =>
    client.query(
      `select count(t::text) from (select * from reporting.transactions where account_id = 'bench') as t`,
    ),
  );
  const bare = (performance.now() - bareAt) / 1000;
  console.log(
    `\nCSV of ${size.transactions} transactions: ${seconds.toFixed(1)} s, ${(bytes / 2 ** 20).toFixed(0)} MiB, ${((peak - before) / 2 ** 20).toFixed(0)} MiB more memory; the same rows as text in the database: ${bare.toFixed(1)} s, ratio ${(seconds / bare).toFixed(2)}`,
  );
}

/** A first sweep of another account, alone and alongside the requests. */
async function measureLoad({ signal }: BenchServer, url: string, rateLimit: string): Promise<void> {
  const api = startHelper({
    file: './api-process.js',
    env: { DATABASE_URL: url, HTTP_RATE_LIMIT: rateLimit },
  });
  const { url: base } = await api.receive(apiStarted);
  const sandbox = startSandbox(swept);
  const service = await sandbox.receive(sandboxStarted);
  const sweep = async (account: string) => {
    signal.throwIfAborted();
    const mirror = startMirror(url, service, parseBenchOptions([]), { env: { CUSTODY_ACCOUNT: account } });
    await mirror.receive(mirrorReady);
    mirror.send('begin');
    const { seconds } = await mirror.receive(mirrorReport);
    await mirror.stop();
    return seconds;
  };
  const ratios: number[] = [];
  for (let round = 1; round <= Number(rounds); round += 1) {
    const alone = await sweep(`alone-${rateLimit}-${round}`);
    const stop = new AbortController();
    const load = keepAsking(base, stop.signal);
    const loaded = await sweep(`loaded-${rateLimit}-${round}`);
    stop.abort();
    const { answered, refused, seconds, p95 } = await load;
    ratios.push(loaded / alone);
    console.log(
      `\nsweep of ${swept}: ${alone.toFixed(1)} s alone, ${loaded.toFixed(1)} s alongside ${requestsPerSecond} requests/s with HTTP_RATE_LIMIT=${rateLimit} (${(answered / seconds).toFixed(0)}/s answered, p95 ${p95.toFixed(0)} ms, ${(refused / seconds).toFixed(0)}/s refused), ratio ${(loaded / alone).toFixed(2)}`,
    );
  }
  console.log(`\nHTTP_RATE_LIMIT=${rateLimit}: median ratio ${percentile(ratios, 50).toFixed(2)}`);
  await sandbox.stop();
  await api.stop();
}

/** Asks at the rate, whether or not answers are late, until stopped. */
async function keepAsking(base: string, signal: AbortSignal) {
  const startedAt = performance.now();
  const times: number[] = [];
  const underWay = new Set<Promise<void>>();
  let refused = 0;
  const paths = [
    'transactions?limit=20',
    'transactions?limit=20&status=pending',
    'balances?limit=20',
    'changes?limit=20',
  ];
  for (let sent = 0; !signal.aborted; sent += 1) {
    const due = startedAt + (sent * 1000) / requestsPerSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    const askedAt = performance.now();
    const asking = read(`${base}/api/v1/${paths[sent % paths.length]}`)
      .then(
        () => {
          times.push(performance.now() - askedAt);
        },
        (error: unknown) => {
          if (!(error instanceof BadAnswer && error.status === 429)) throw error;
          refused += 1;
        },
      )
      .finally(() => underWay.delete(asking));
    underWay.add(asking);
  }
  await Promise.all(underWay);
  return {
    answered: times.length,
    refused,
    seconds: (performance.now() - startedAt) / 1000,
    p95: percentile(times, 95),
  };
}
