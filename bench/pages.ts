// `npm run bench:pages`: builds a mirror of a million transactions and three years of hourly snapshots in an
// embedded PostgreSQL, whose balances follow its transactions, and asks for every page as a browser does,
// without its assets. With `--serve` it prints the address and serves until Ctrl-C, for `bench:paint`.
import { once } from 'node:events';
import type pg from 'pg';
import { freshDatabase, onBenchServer, withConnection } from './databases.ts';
import { startHelper } from './helper-process.ts';
import { apiStarted } from './messages.ts';
import { percentile, timesOf } from './percentile.ts';
import { read } from './read.ts';
import { refuse } from './refuse.ts';
import { buildStandingMirror } from './reporting-data.ts';
import { benchAccount, millionInThreeYears } from './reporting-size.ts';

const rounds = 40;

const [option, ...others] = process.argv.slice(2);
if ((option !== undefined && option !== '--serve') || others.length > 0) refuse('bench:pages [--serve]');

await onBenchServer('bench-pages', async (server) => {
  const url = await freshDatabase(server.postgres, 'bench_pages');
  const paths = await withConnection(url, async (client) => {
    await buildStandingMirror(client, { ...millionInThreeYears, isReconciled: true }, server.signal);
    return await pagePaths(client);
  });
  const api = startHelper({ file: './api-process.js', env: { DATABASE_URL: url } });
  const { url: base } = await api.receive(apiStarted);
  if (option === '--serve') {
    console.log(base);
    await once(server.signal, 'abort');
    return await api.stop();
  }
  console.log('| page | first ms | p50 ms | p95 ms | KiB |\n|---|--:|--:|--:|--:|');
  for (const [name, path] of paths) {
    server.signal.throwIfAborted();
    let bytes = 0;
    const ask = async () => {
      bytes = await read(base + path, { accept: 'text/html' });
    };
    const [first = Number.NaN] = await timesOf(ask, { rounds: 1, warming: 0 });
    const times = await timesOf(ask, { rounds, warming: 3 });
    const told = [first, percentile(times, 50), percentile(times, 95), bytes / 1024];
    console.log(`| ${name} | ${told.map((value) => value.toFixed(0)).join(' | ')} |`);
  }
  await api.stop();
});

/** Each page, with values that the mirror holds. */
async function pagePaths(client: pg.Client): Promise<readonly (readonly [string, string])[]> {
  const { rows } = await client.query<Record<string, string>>(
    `select t.transaction_id, t.txn_hash, t.destination_id, to_char(now() - interval '2 days', 'YYYY-MM-DD') as day,
       to_char(now() - interval '9 days', 'YYYY-MM-DD') as week_before,
       to_char(now() - interval '2 years', 'YYYY-MM-DD"T11:00:00Z"') as long_ago
     from custody.transactions t where t.account_id = $1 and t.destination_type = 'whitelist' order by t.first_seen_at desc limit 1`,
    [benchAccount],
  );
  const {
    transaction_id: id = '',
    txn_hash: hash = '',
    destination_id: entry,
    day,
    week_before: from,
    long_ago: at,
  } = rows[0] ?? {};
  return [
    ['Overview', '/'],
    ['Balances', '/balances'],
    ['Balances two years ago', `/balances?at=${at}`],
    ['An asset', '/balances/assets/AST007'],
    ['Transactions', '/transactions'],
    ['Open transactions', '/transactions?is_open=true'],
    ['Transactions of an asset and a status', '/transactions?asset_id=AST007&status=failed'],
    ['Search for the beginning of a hash', `/transactions?search=${hash.slice(0, 14)}`],
    ['Search for an identifier', `/transactions?search=${id}`],
    ['One transaction', `/transactions/${id}`],
    ['Vaults and whitelist', '/documents'],
    ['Changes of the whitelist', '/documents/changes'],
    ['One entry of the whitelist', `/documents/whitelist/${entry}`],
    ['One vault', '/documents/vaults/vault-3'],
    ['Payments', '/documents/payments'],
    ['Reconciliation', '/reconciliation'],
    ['Reconciliation of a week', `/reconciliation?day_from=${from}&day_to=${day}`],
    ['Reconciliation of a day and asset', `/reconciliation/${day}/AST007`],
    ['Sync', '/sync'],
    ['Runs', '/sync/runs'],
    ['Quarantine', '/sync/quarantine'],
    ['Anomalies', '/sync/anomalies'],
  ];
}
