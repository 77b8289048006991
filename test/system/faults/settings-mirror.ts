// A mirror that is made and read by a role with certain settings: migrated, synchronized twice around a
// change of the world, sealed, verified, and read through the API. What it holds is compared with what a role
// without settings made of the same world.
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { runHere } from '../../support/in-process.ts';
import { whatIsMirrored } from '../../support/mirrored-rows.ts';
import { testRole } from '../../support/roles.ts';
import { withClient } from '../../support/server.ts';
import { startSite } from '../../support/site.ts';

export type Settings = Readonly<Record<string, string>>;

export interface Outcome {
  /** The commands that failed, with what they said; the first ends the run. */
  readonly failed: string | null;
  /** How many rows of the mirror there are after a failure. */
  readonly written: number;
  /** Everything that must be the same under any setting. */
  readonly content: Readonly<Record<string, unknown>> | null;
}

interface Place {
  /** Whose settings they are. */
  readonly of: 'role' | 'database';
  readonly isSuperuser?: boolean;
}

export async function mirrorUnder(
  settings: Settings,
  { of, isSuperuser = false }: Place = { of: 'role' },
): Promise<Outcome> {
  const database = await testDatabase({ empty: true });
  const role = await testRole(database, { attributes: isSuperuser ? 'superuser' : '' });
  const name = new URL(database.url).pathname.slice(1);
  const { adminUrl } = inject('testServer');
  await withClient(adminUrl, async (client) => {
    await client.query(`alter database ${name} owner to ${role.quoted}`);
    const target = of === 'role' ? `role ${role.quoted}` : `database ${name}`;
    for (const [setting, value] of Object.entries(settings)) {
      const set = `alter ${target} set ${setting} = ${pg.escapeLiteral(value)}`;
      // What the server does not store for a role (transaction_isolation, for one) needs nothing of us.
      await client.query(set).catch(() => undefined);
    }
  });
  // Settings of the database are not for who looks at the result.
  const lookedAt = new URL(database.url);
  const plain = await plainSettings(adminUrl, settings);
  lookedAt.searchParams.set('options', plain);
  const ask = (sql: string) =>
    withClient(lookedAt.href, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);

  const service = await serveSandbox({
    transactions: 60,
    whitelistEntries: 8,
    now: () => Date.UTC(2026, 0, 15),
  });
  const folder = newFolder();
  const keyFile = join(folder, 'key');
  const made = await runHere(['seal', 'init', keyFile, 'custody.example/acme'], { env: {} });
  const sealing = { SEAL_KEY_FILE: keyFile, SEAL_CHECKPOINTS_FILE: join(folder, 'checkpoints') };
  const env = environment(service, { url: role.url }, sealing);
  const steps: readonly (readonly [readonly string[], () => void])[] = [
    [['migrate'], () => undefined],
    [['sync'], () => change(service.sandbox)],
    [['sync', '--full'], () => undefined],
    [['verify', '--key', made.stdout.trim()], () => undefined],
  ];
  const outputs: string[] = [];
  for (const [args, after] of steps) {
    const run = await runHere(args, { env });
    if (run.code !== 0) {
      const [found] = await ask(`select to_regclass('custody.transactions') is not null as there`);
      const written = found?.['there'] === true ? (await ask('select from custody.transactions')).length : 0;
      await clear();
      return { failed: `${args[0]}: ${run.stderr}${run.stdout}`, written, content: null };
    }
    if (args[0] === 'verify') outputs.push(run.stdout.split('\n')[0]?.replace(/\d{4}-.*$/, '') ?? '');
    after();
  }
  const query = async <Found extends Record<string, unknown>>(sql: string) => (await ask(sql)) as Found[];
  const content = {
    ...(await whatIsMirrored({ query }, { raw: 'whole' })),
    history:
      await ask(`select transaction_id, sequence, from_status, to_status, abs(extract(epoch from observed_at - clock_timestamp())) < 600 as is_recent
      from custody.transaction_status_history order by 1, 2`),
    revisions: await ask(
      `select transaction_id, revision, changed_fields::text, (before - 'timestamp')::text as before, (after - 'timestamp')::text as after from custody.transaction_revisions order by 1, 2`,
    ),
    snapshots: await ask(
      `select vault_type, asset_count, changed_count from custody.balance_snapshots order by snapshot_at, 1`,
    ),
    documents: await ask(
      `select kind, document_id, revision, change, document::text from custody.document_revisions order by 1, 2, 3`,
    ),
    runs: await ask(
      `select job, mode, status, verified, abs(extract(epoch from finished_at - clock_timestamp())) < 600 as is_recent from sync.runs order by job, mode, status`,
    ),
    totals: await ask('select count(*) from reporting.destinations'),
    verdict: outputs,
    answers: await answersOf(role.url),
  };
  await clear();
  return { failed: null, written: content.transactions.length, content };

  async function clear() {
    await withClient(adminUrl, (client) => client.query(`alter database ${name} owner to current_user`));
  }
}

/** Startup options that take the settings back. */
async function plainSettings(adminUrl: string, settings: Settings): Promise<string> {
  return await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string; boot: string | null }>(
      `select name, reset_val as boot from pg_settings where name = any($1)`,
      [Object.keys(settings)],
    );
    return rows.map(({ name, boot }) => `-c ${name}=${(boot ?? '').replace(/([ \\])/g, '\\$1')}`).join(' ');
  });
}

type Sandbox = Awaited<ReturnType<typeof serveSandbox>>['sandbox'];

function change({ world }: Sandbox): void {
  const all = [...world.transactions()];
  const [one, two] = [all.find(({ status }) => status === 'completed'), all.at(-1)];
  if (one === undefined || two === undefined) throw new Error('the world holds no transactions');
  world.alterTransaction(one.transactionId, {
    amount: '1234567.000000000000000001',
    note: 'back\\slash \' "x" {NULL}',
  });
  world.alterTransaction(two.transactionId, { status: 'failed', note: 'NULL' });
  world.insertTransaction('head', {
    status: 'pending',
    transactionId: '0f000000-0000-4000-8000-000000000001',
  });
}

/** Of the read API and the interface of the service, without what differs between mirrors of one world. */
async function answersOf(url: string): Promise<readonly unknown[]> {
  const site = await startSite(url, { of: 'default' });
  const paths = [
    '/api/v1/transactions?limit=500&sort=transaction_id',
    '/api/v1/transactions?search=0f000000-0000-4000-8000-000000000001',
    '/api/v1/balances',
    '/api/v1/vaults',
    '/api/v1/whitelist',
    '/api/v1/flows',
    '/api/v1/fees',
    '/api/v1/destinations',
    '/api/v1/reconciliation',
    '/api/v1/anomalies',
    '/api/v1/transactions.csv?limit=500&sort=transaction_id',
    '/custody/transactions?limit=500',
    '/custody/balances',
    '/custody/vaults',
    '/custody/whitelist',
  ];
  const answers: unknown[] = [];
  for (const path of paths) {
    const answer = await site.get(path);
    const text = await answer.text();
    const times = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)?/g;
    answers.push([
      path,
      answer.status,
      text
        .replaceAll(times, 'T')
        .replaceAll(/"(run_id|age_seconds|cursor|next_cursor|place|change_id)":("[^"]*"|[\d.]+)/g, ''),
    ]);
  }
  await site.server.close();
  return answers;
}
