// `npm run bench:seal`: what sealing costs alongside the sweep that wrote the rows, and how long and with
// how much memory a history of many rows is verified, by the command as it is built.
//
//   npm run bench:seal -- 1000000 100000        rows to verify, transactions to sweep; 0 for no sweep
//   npm run bench:seal                          a tenth of that

import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { to as copyTo } from 'pg-copy-streams';
import { createClock } from '../src/base/clock.ts';
import { createLogger } from '../src/base/logger.ts';
import { makeSealKey, readSigner } from '../src/seal/note.ts';
import { sealHistory } from '../src/seal/seal.ts';
import { bindAccount } from '../src/store/run/accounts.ts';
import { acquireLease } from '../src/store/run/leases.ts';
import { startDaemon, stopDaemons } from './daemon.ts';
import {
  type BenchServer,
  dropDatabase,
  freshDatabase,
  inBenchDirectory,
  onBenchServer,
  openBenchDatabase,
  withConnection,
} from './databases.ts';
import { startSandbox } from './helper-process.ts';
import { sandboxStarted } from './messages.ts';
import { percentile } from './percentile.ts';
import { memory, processorMs } from './process-use.ts';
import { refuse } from './refuse.ts';

const rows = Number(process.argv[2] ?? 100_000);
const transactions = Number(process.argv[3] ?? 10_000);
if (![rows, transactions || 1_000].every((count) => Number.isInteger(count) && count >= 1_000))
  refuse('bench:seal -- [rows [transactions]], 1000 or more');
/** Transactions of the history that is verified. */
const known = Math.floor((3 * rows) / 10);
const command = join(import.meta.dirname, '../src/cli/main.js');
const key = makeSealKey('custody.example/bench');
const found = readSigner(key);
if (found === null) throw new Error('a new key cannot be read');
const signer = found;
const rounds = 3;

/** The digest of a completed transaction with no other fields, as docs/sealing-format.md has it. */
const digest = (
  id: string,
) => `rtrim(translate(encode(sha256('\\x6f0000005574000000067374617475737400000009636f6d706c65746564740000000e7472616e73616374696f6e5f69647400000024'::bytea
      || convert_to(${id}, 'UTF8')), 'base64'), '+/', '-_'), '=')`;

/** Of ten rows seven are statuses, one a revision, two snapshots, as of a mirror of some years. */
const history = `
  insert into custody.accounts (account_id, base_url, first_seen_at) values ('default', 'https://custody.example', now());
  insert into custody.transactions (account_id, transaction_id, status, first_seen_at, first_seen_after, status_changed_at, changed_at, content_hash, raw)
    select 'default', id, 'completed', timestamptz '2026-01-01' + (n - 1) * interval '1 second', timestamptz '2026-01-01', last, last, ${digest('id')},
      jsonb_build_object('status', 'completed', 'transaction_id', id)
    from (select n, md5(n::text)::uuid::text as id, timestamptz '2026-01-01'
      + (n - 1 + (${known}) * ((7 * ${rows} / 10 - n) / (${known}))) * interval '1 second' as last from generate_series(1, ${known}) n) t;
  insert into custody.transaction_status_history (account_id, transaction_id, sequence, from_status, to_status, observed_at, observed_after, source_timestamp, run_id, content_hash)
    select 'default', md5((1 + n % (${known}))::text)::uuid, 1 + n / (${known}), case when n >= ${known} then 'pending' end, 'completed',
      timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01', timestamptz '2026-01-01' + n * interval '1 second', 1, ${digest(`md5((1 + n % (${known}))::text)::uuid::text`)}
    from generate_series(0, 7 * ${rows} / 10 - 1) n;
  insert into custody.transaction_revisions (account_id, transaction_id, revision, observed_at, changed_fields, before, after, run_id, content_hash)
    select 'default', md5(n::text)::uuid, 1, timestamptz '2026-01-01', array['amount', 'note'], '{"amount": "1.50", "note": ""}', '{"amount": "2.50", "note": "corrected"}', 1, 'of another content'
    from generate_series(1, ${rows} / 10) n;
  insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count, quarantined_count, run_id)
    select 'default', 'all', at, at, at, 10, 0, 0, 1 from (select timestamptz '2020-01-01' + n * interval '5 minutes' as at from generate_series(1, ${rows} / 5) n) as s;
  analyze`;

await onBenchServer('bench-seal', async (server) => {
  if (transactions > 0) await measureCost(server);
  await measureVerify(server);
});

/** The first sweep of a daemon, which writes every row: alone, and while its process seals each second. */
async function measureCost(server: BenchServer): Promise<void> {
  const sandbox = startSandbox(transactions);
  try {
    const { url, apiKey } = await sandbox.receive(sandboxStarted);
    const sweeps: Record<'alone' | 'sealing', number[]> = { alone: [], sealing: [] };
    await inBenchDirectory('bench-seal-key', async (directory) => {
      const keyFile = join(directory, 'key');
      await writeFile(keyFile, key);
      for (let round = 0; round < rounds; round += 1)
        for (const way of ['alone', 'sealing'] as const) {
          const sealing = { SEAL_KEY_FILE: keyFile, SCHEDULE_SEAL: '* * * * * *' };
          const env = {
            CUSTODY_BASE_URL: url,
            CUSTODY_API_KEY: apiKey,
            ...(way === 'sealing' ? sealing : {}),
          };
          sweeps[way].push(await sweepSeconds(server, env, way === 'sealing'));
        }
    });
    const [alone, sealing] = [percentile(sweeps.alone, 50), percentile(sweeps.sealing, 50)];
    const more = (100 * (sealing - alone)) / alone;
    console.log(
      `first sweep of ${transactions} transactions: ${alone.toFixed(1)} s (${sweeps.alone.map(shown).join(', ')})`,
    );
    console.log(
      `while the process seals: ${sealing.toFixed(1)} s (${sweeps.sealing.map(shown).join(', ')}), ${more.toFixed(1)} % more`,
    );
  } finally {
    await sandbox.stop();
  }
}

function shown(seconds: number): string {
  return seconds.toFixed(1);
}

async function sweepSeconds(
  { postgres }: BenchServer,
  env: Readonly<Record<string, string>>,
  isSealing: boolean,
): Promise<number> {
  const address = await freshDatabase(postgres, 'bench_seal_cost');
  const daemon = startDaemon({
    DATABASE_URL: address,
    CUSTODY_PAGE_SIZE: '1000',
    CUSTODY_RESOURCES: 'transactions',
    CUSTODY_RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    ...env,
  });
  try {
    return await withConnection(address, async (client) => {
      for (;;) {
        await sleep(200);
        const { rows: ended } = await client
          .query<{ seconds: number; sealed: string | null; sealedBeside: string | null }>(
            `select extract(epoch from finished_at - started_at)::float as seconds,
               (select max(tree_size) from sync.seal_checkpoints) as sealed,
               (select max(tree_size) from sync.seal_checkpoints where signed_at <= finished_at) as "sealedBeside"
             from sync.runs where job = 'transactions' and status = 'succeeded' and verified order by run_id limit 1`,
          )
          .catch(() => ({ rows: [] }));
        const [sweep] = ended;
        if (sweep === undefined || (isSealing && Number(sweep.sealed) < transactions)) continue;
        if (isSealing) console.log(`${Number(sweep.sealedBeside)} rows were sealed during the sweep`);
        return sweep.seconds;
      }
    });
  } finally {
    await stopDaemons([daemon]);
    await dropDatabase(postgres, 'bench_seal_cost');
  }
}

async function measureVerify({ postgres }: BenchServer): Promise<void> {
  const address = await freshDatabase(postgres, 'bench_seal_verify');
  await withConnection(address, (client) => client.query(history));
  const { count, ...sealed } = await seal(address);
  console.log(`sealing ${count} rows: ${took(sealed)}`);
  const copied = await copySeconds(address);
  const verified = await run(['verify', '--key', signer.verifierKey], { DATABASE_URL: address });
  console.log(
    `verifying ${count} rows of history and ${known} transactions: ${took(verified)}, ${verified.peakMiB.toFixed(0)} MiB`,
  );
  const times = (verified.seconds / copied).toFixed(1);
  console.log(
    `that is ${times} times the ${copied.toFixed(2)} s of COPY … TO STDOUT of the same rows (7 at most)`,
  );
}

/** The time in which PostgreSQL sends the rows that are verified. */
async function copySeconds(address: string): Promise<number> {
  return await withConnection(address, async (client) => {
    const from = performance.now();
    for (const table of [
      'transaction_status_history',
      'transaction_revisions',
      'balance_snapshots',
      'transactions',
    ])
      for await (const _chunk of client.query(copyTo(`copy custody.${table} to stdout`)));
    return (performance.now() - from) / 1000;
  });
}

interface Took {
  readonly seconds: number;
  /** Processor time of the process, which a busy machine does not lengthen. */
  readonly ownSeconds: number;
}

function took({ seconds, ownSeconds }: Took): string {
  return `${seconds.toFixed(1)} s (${ownSeconds.toFixed(1)} s of processor)`;
}

async function seal(address: string): Promise<Took & { readonly count: number }> {
  const logger = createLogger({ level: 'warn', format: 'json' });
  const database = openBenchDatabase(address);
  try {
    await bindAccount(database, {
      account: 'default',
      baseUrl: 'https://custody.example',
      timeZone: 'UTC',
    }).catch(() => undefined);
    const attempt = await acquireLease(database, {
      account: 'default',
      holder: 'bench',
      ttlMs: 600_000,
      clock: createClock(),
    });
    if (!('lease' in attempt)) throw new Error('the lease is held');
    const [from, before] = [performance.now(), process.cpuUsage()];
    const { lease } = attempt;
    const { signal } = new AbortController();
    const count = await sealHistory({ database, lease, signer, checkpointsFile: null, logger, signal });
    const { user, system } = process.cpuUsage(before);
    return { count, seconds: (performance.now() - from) / 1000, ownSeconds: (user + system) / 1e6 };
  } finally {
    await database.close();
  }
}

/** Runs the command, with what it took and the most memory that it had. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const from = performance.now();
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let [peakMiB, ownMs] = [0, 0];
  const timer = setInterval(() => {
    try {
      ({ peakMiB } = memory(child.pid));
      ownMs = processorMs(child.pid);
    } catch {
      // It has ended.
    }
  }, 50);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - from) / 1000, ownSeconds: ownMs / 1000, peakMiB };
}
