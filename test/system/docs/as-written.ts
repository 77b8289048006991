// What the blocks of the documents that are run as they are written come upon, and what they must leave
// behind.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { environment, serveSandbox, viewerKey } from '../../support/command.ts';
import { type Row, type TestDatabase, testDatabase } from '../../support/database.ts';
import { rowsOf } from '../../support/every-account-table.ts';
import { runHere } from '../../support/in-process.ts';
import { withClient } from '../../support/server.ts';
import { mirrored } from '../../support/truth.ts';
import { type Block, commandBlocks } from './blocks.ts';
import { type ClientServer, clientServer } from './client-server.ts';
import type { Clone } from './shell.ts';

/** The address of the documents' database. */
const place = 'db.example:5432/custody?sslmode=verify-full';
const baseUrl = 'https://custody.example/api';
const keyFile = '/run/secrets/custody_api_key';

export async function demo(clone: Clone, { text }: Block): Promise<void> {
  const { output } = await clone.run(text, { until: (written) => /^10 s · transactions: /m.test(written()) });
  expect(output).toMatch(/custody-mirror is running/);
}

export async function mirrorFromClone(clone: Clone, { text }: Block): Promise<void> {
  const [server, service] = await Promise.all([clientServer('with a database'), serveSandbox()]);
  const key = join(clone.directory, 'key');
  writeFileSync(key, `${viewerKey}\n`);
  const { code, output, calls } = await clone.run(text, {
    replaced: { [place]: server.place, [baseUrl]: service.url, [keyFile]: key },
    until: (written) => isWriter(server, written()),
  });
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/transactions: 150 new/) });
  expect(calls).toContainEqual(['npm', 'ci']);
}

export async function letReaderIn(clone: Clone, { text }: Block): Promise<void> {
  const [server, service] = await Promise.all([clientServer('with a database'), serveSandbox()]);
  await mirrorOnce(server, service.url);
  const { code, output } = await clone.run(text, {
    env: { DATABASE_URL: server.databaseUrl, ADMIN_URL: server.adminUrl },
    replaced: { [place]: server.place },
  });
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/default +\|/) });
}

/** Beside a database `custody`, which its reader must not reach. */
export async function keepReadersApart(clone: Clone, { text }: Block): Promise<void> {
  const server = await clientServer('with a database');
  const own = server.place.replace('/custody', '/acme');
  const { code, output } = await clone.run(text, {
    env: { ADMIN_URL: server.adminUrl },
    replaced: { 'db.example:5432/acme?sslmode=verify-full': own },
  });
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringContaining('acme_analyst now reads'),
  });
  const asReader = (at: string) =>
    withClient(`postgres://acme_analyst:…@${at}`, async (client) => {
      await client.query('select from reporting.transactions');
    });
  await asReader(own);
  await expect(asReader(server.place)).rejects.toMatchObject({ code: '42501' });
}

export async function useKeys(clone: Clone, { text }: Block): Promise<void> {
  const database = await testDatabase();
  await database.query(
    "insert into custody.accounts (account_id, base_url, first_seen_at) values ('default', 'https://custody.example', now())",
  );
  const { code, output } = await clone.run(text, { env: { DATABASE_URL: database.url } });
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/^cm_\w{8}_\w{49}$/m) });
  expect(output).toMatch(/\(notebook\) is revoked/);
}

/** With a schema in the same database that is another's and closed to the mirror. */
export async function backUp(clone: Clone, { text }: Block): Promise<void> {
  const [server, service] = await Promise.all([clientServer('with a database'), serveSandbox()]);
  await mirrorOnce(server, service.url);
  await server.query('create schema marts; create table marts.totals as select 1 as total');
  const { code, output } = await clone.run(text, { env: { DATABASE_URL: server.databaseUrl } });
  expect({ code, output }).toEqual({ code: 0, output: '' });
  expect(statSync(join(clone.directory, 'custody.dump')).size).toBeGreaterThan(10_000);
}

/** What the block before it in the document dumped, into a server that has never heard of it. */
export async function restore(clone: Clone, { text }: Block): Promise<void> {
  const [source, target, service] = await Promise.all([
    clientServer('with a database'),
    clientServer('empty'),
    serveSandbox(),
  ]);
  await mirrorOnce(source, service.url);
  const dump = commandBlocks.find(({ name }) => name === 'docs/operations.md, Backup')?.text ?? '';
  const dumped = await clone.run(dump, { env: { DATABASE_URL: source.databaseUrl } });
  expect(dumped).toMatchObject({ code: 0, output: '' });
  const { code, output } = await clone.run(text, {
    env: { ...environment(service, { url: target.databaseUrl }), ADMIN_URL: target.adminUrl },
    until: (written) => isWriter(target, written()),
  });
  expect(code, output).toBe(0);
  const rows = `select (select count(*) from custody.transactions) as transactions,
    (select count(*) from custody.balance_snapshots) > 0 as snapshots,
    (select md5(string_agg(amount::text, ',' order by transaction_id)) from custody.transactions) as amounts`;
  const schemas = `select array_agg(nspname::text order by nspname) as schemas from pg_namespace
    where nspname !~ '^pg_' and nspname not in ('public', 'information_schema')`;
  const open = `select p.oid::regprocedure::text as open from pg_proc p
    cross join aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
    where p.pronamespace::regnamespace::text in ('custody', 'reporting', 'sync', 'internal', 'drizzle') and a.grantee = 0`;
  const database = `select pg_encoding_to_char(d.encoding) as encoding, pg_get_userbyid(d.datdba) as owner,
      exists (select from aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a where a.grantee = 0) as is_open
    from pg_database d where d.datname = current_database()`;
  expect(await target.query(database)).toMatchObject([{ is_open: false }]);
  for (const sql of [rows, schemas, open, database])
    expect(await target.query(sql)).toEqual(await source.query(sql));
}

/** A sealed account, beside another one in both databases; their numbers overlap. */
export async function moveAccount(clone: Clone, { text }: Block, version: string): Promise<void> {
  const [source, target, service] = await Promise.all([
    clientServer('with a database', version),
    clientServer('with a database', version),
    serveSandbox({ quirks: { 'nan-amount': 0.1 } }),
  ]);
  const seal = {
    SEAL_KEY_FILE: join(clone.directory, 'key'),
    SEAL_CHECKPOINTS_FILE: join(clone.directory, 'checkpoints'),
  };
  const command = async (args: string[], server: ClientServer, account: string) => {
    const more = { CUSTODY_ACCOUNT: account, ...(account === 'alpha' ? seal : {}) };
    const env = environment(service, { url: server.databaseUrl }, more);
    const done = await runHere(args, { env });
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    return done.stdout;
  };
  await runHere(['seal', 'init', seal.SEAL_KEY_FILE, 'custody.example/alpha']);
  await command(['sync'], source, 'beta');
  await command(['sync'], source, 'alpha');
  await source.query(`insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
    values ('alpha', E'\\\\.\\t\\n', 'USD', '2026-01-02 03:04:05.678901Z', 0.10)`);
  await command(['sync'], target, 'gamma');
  const tables = Object.keys(await rowsOf(ofOwner(source), 'alpha'));
  const rows = async (server: ClientServer, account: string) => {
    const found: Record<string, unknown> = {};
    for (const table of tables)
      found[table] = await server.query(
        `select t::text as row from ${table} t where account_id = '${account}' order by 1`,
      );
    return found;
  };
  const [moved, beta, gamma] = [
    await rows(source, 'alpha'),
    await rows(source, 'beta'),
    await rows(target, 'gamma'),
  ];
  const env = { ...environment(service, { url: source.databaseUrl }, seal), OTHER_URL: target.databaseUrl };
  const loadedBy = text.indexOf('DATABASE_URL="$OTHER_URL"');
  const loaded = await clone.run(text.slice(0, loadedBy), { env });
  expect(loaded, loaded.output).toMatchObject({ code: 0, output: '' });
  expect(await rows(target, 'alpha')).toEqual(moved);
  const ended = await clone.run(text.slice(loadedBy), { env });
  expect(ended.code, ended.output).toBe(0);
  const left = Object.entries(await rowsOf(ofOwner(source), 'alpha')).filter(([, count]) => count > 0);
  expect(left).toEqual([]);
  expect(await rows(source, 'beta')).toEqual(beta);
  expect(await rows(target, 'gamma')).toEqual(gamma);
  expect(await mirrored(ofOwner(target), 'alpha')).toEqual(await mirrored(ofOwner(target), 'gamma'));
  expect(await command(['verify'], target, 'alpha')).toContain('intact');
  // The new name begins where the old one ends: places of the old one go on.
  const histories = await target.query(
    `select h.began_after = 0 or h.began_after = (select max(change_id) from custody.balance_snapshots s
       where s.account_id = 'alpha' and s.change_id <= h.began_after) as continued from custody.histories h where h.account_id = 'alpha'`,
  );
  expect(histories).toEqual([{ continued: true }, { continued: true }]);
}

function ofOwner({ databaseUrl }: ClientServer): Pick<TestDatabase, 'query'> {
  return {
    query: <Found extends Row>(sql: string, params: readonly unknown[] = []) =>
      withClient(databaseUrl, async (client) => (await client.query<Found>(sql, [...params])).rows),
  };
}

export function makeSecretsDirectory({ directory }: Clone): void {
  mkdirSync(join(directory, 'secrets'), { mode: 0o700 });
}

/** In it the key that `seal init` makes, in a container. */
export function makeSealKeyFile(clone: Clone): void {
  makeSecretsDirectory(clone);
  writeFileSync(join(clone.directory, 'secrets/seal_key'), '', { mode: 0o600 });
}

/** `cp .env.example .env` and the secrets: each is one line, and only the directory keeps others out. */
export function expectSecrets({ directory }: Clone): void {
  const read = (path: string) => readFileSync(join(directory, path), 'utf8');
  expect(read('.env')).toBe(read('.env.example'));
  expect(read('secrets/custody_api_key')).toBe(`${viewerKey}\n`);
  expect(read('secrets/database_url')).toMatch(
    /^postgres:\/\/custody_mirror:[0-9a-f]{48}@postgres:5432\/custody_mirror\n$/,
  );
  expect(read('secrets/http_token')).toMatch(/^[0-9a-f]{48}\n$/);
  expect(statSync(join(directory, 'secrets')).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, 'secrets/database_url')).mode & 0o777).toBe(0o644);
}

async function mirrorOnce(server: ClientServer, serviceUrl: string): Promise<void> {
  const env = environment({ url: serviceUrl }, { url: server.databaseUrl });
  expect(await runHere(['sync'], { env })).toMatchObject({ code: 0 });
}

async function isWriter(server: ClientServer, output: string): Promise<boolean> {
  if (!output.includes('"msg":"daemon started"')) return false;
  return (await server.query('select from sync.leases where expires_at > clock_timestamp()')).length > 0;
}
