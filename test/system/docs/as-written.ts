// What the blocks of the documents that are run as they are written come upon, and what they must leave
// behind.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { environment, serveSandbox, viewerKey } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { runProcess } from '../../support/process.ts';
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
  await target.asAdmin('create role analyst');
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
  expect(await runProcess(['sync'], { env })).toMatchObject({ code: 0 });
}

async function isWriter(server: ClientServer, output: string): Promise<boolean> {
  if (!output.includes('"msg":"daemon started"')) return false;
  return (await server.query('select from sync.leases where expires_at > clock_timestamp()')).length > 0;
}
