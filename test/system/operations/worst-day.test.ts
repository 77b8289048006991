// The worst day of a follower: the database is set back by PostgreSQL's own means, and goes on with the same
// numbers for other rows. The follower is told what is gone, resets itself, and misses nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startApi } from '../../api/documented-api.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import type { TestDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { runHere } from '../../support/in-process.ts';
import { startPostgres } from '../../support/postgres.ts';
import { startReplicated } from '../../support/replicated.ts';
import { withClient } from '../../support/server.ts';
import { account } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';
import { writerOf } from '../../support/writer.ts';
import { blocksUnder } from '../docs/blocks.ts';
import { clientServer, whyNoClients } from '../docs/client-server.ts';
import { changesOf, type Follower, startFollower } from './follower.ts';

type Queried = Pick<TestDatabase, 'url' | 'query'>;

/** Follows the feed until all that the database holds is known, and nothing else. */
async function follow(follower: Follower, database: Queried): Promise<void> {
  const api = await startApi(database.url);
  const all = await changesOf(database, account);
  follower.lead({ baseUrl: api.url, account });
  await expect.poll(() => [...follower.known]).toEqual([...all]);
  expect(follower.doubled).toEqual([]);
  follower.lead(null);
  await api.server.close();
}

const onServer = (url: string): Queried => ({
  url,
  query: (sql, params = []) => withClient(url, async (client) => (await client.query(sql, [...params])).rows),
});

function program(name: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(name, args, { encoding: 'utf8' });
  expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: '' });
}

const ids = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} ${at}`);

/** A server of the version of pg_dump, with a migrated database of the role `custody`. */
async function migratedServer() {
  const server = await clientServer('with a database');
  expect(await runHere(['migrate'], { env: { DATABASE_URL: server.databaseUrl } })).toMatchObject({
    code: 0,
  });
  const on = (database: string): Queried => {
    const url = new URL(server.databaseUrl);
    url.pathname = `/${database}`;
    return onServer(url.href);
  };
  return { ...server, on, first: on('custody') };
}

const documented = (heading: string, language: string) =>
  blocksUnder(`docs/restore.md, ${heading}`, language).join('\n');

/** As docs/restore.md has them. */
function recoverySettings(archive: string, moment: string): Record<string, string> {
  const lines = documented('To a point in time', 'ini').trim().split('\n');
  const settings = lines.map((line) => /^(\w+) = '(.*)'$/.exec(line)?.slice(1) ?? []);
  const { restore_command: restore = '', ...others } = Object.fromEntries(settings);
  expect([restore, others['recovery_target_time']]).toEqual([
    expect.stringContaining('/mnt/archive/'),
    expect.any(String),
  ]);
  return {
    ...others,
    restore_command: restore.replace('/mnt/archive', archive),
    recovery_target_time: moment,
  };
}

const because = whyNoClients === null ? '' : ` (skipped: ${whyNoClients})`;

for (const [form, restore] of [
  [
    'custom',
    (file: string, url: string) => program('pg_restore', '--exit-on-error', `--dbname=${url}`, file),
  ],
  [
    'plain',
    (file: string, url: string) => program('psql', '-qXo', '/dev/null', '-vON_ERROR_STOP=1', '-f', file, url),
  ],
] as const)
  test.skipIf(whyNoClients !== null)(
    `a dump in the form ${form}, restored as another database: followers learn what is gone${because}`,
    async () => {
      const server = await migratedServer();
      const follower = startFollower();
      const writer = await writerOf(server.first);
      await writer.commit(...ids('kept', 5));
      const file = join(newFolder(), 'custody.dump');
      program('pg_dump', `--format=${form}`, `--file=${file}`, server.first.url);
      await writer.commit(...ids('lost', 5));
      await follow(follower, server.first);

      await server.asAdmin('create database restored owner custody');
      const restored = server.on('restored');
      restore(file, restored.url);
      const next = await writerOf(restored);
      await next.commit(...ids('new', 20));
      await follow(follower, restored);
      expect(follower.losses).toHaveLength(1);
      // Nothing was lost since: the same name goes on.
      await next.commit('later');
      await follow(follower, restored);
      expect(follower.losses).toHaveLength(1);
    },
  );

test.skipIf(whyNoClients !== null)(
  `a dump restored over the tables, pg_restore --clean, under a writer that stays: it draws a name first${because}`,
  async () => {
    const server = await migratedServer();
    const follower = startFollower();
    const writer = await writerOf(server.first);
    await writer.commit(...ids('kept', 5));
    const file = join(newFolder(), 'custody.dump');
    program('pg_dump', '--format=custom', `--file=${file}`, server.first.url);
    await writer.commit(...ids('lost', 5));
    await follow(follower, server.first);
    program('pg_restore', '--clean', '--if-exists', '--exit-on-error', `--dbname=${server.first.url}`, file);
    // The lease of the dump is this writer's.
    await writer.commit(...ids('new', 20));
    await follow(follower, server.first);
    expect(follower.losses).toHaveLength(1);
  },
);

test('files of the server put back, of the same system and timeline: followers learn what is gone', async () => {
  const dataDirectory = newDataDirectory('custody-mirror-files');
  let server = await startPostgres({ dataDirectory, persistent: true });
  onCleanup(() => server.stop());
  await server.createDatabase('custody');
  const database = (): Queried => onServer(server.url('custody'));
  expect(await runHere(['migrate'], { env: { DATABASE_URL: database().url } })).toMatchObject({ code: 0 });
  const identity = async () =>
    await database().query(
      'select system_identifier::text, timeline_id from pg_control_system(), pg_control_checkpoint()',
    );
  const follower = startFollower();
  const first = await writerOf(database());
  await first.commit(...ids('kept', 5));
  const before = await identity();
  await first.database.close();
  await server.stop();
  const files = server.dataDirectory;
  const snapshot = `${files}-snapshot`;
  execFileSync('cp', ['-a', files, snapshot]);
  onCleanup(async () => void execFileSync('rm', ['-rf', files, snapshot]));
  server = await startPostgres({ dataDirectory: files, persistent: true });
  const second = await writerOf(database());
  await second.commit(...ids('lost', 5));
  // A restart alone loses nothing.
  await follow(follower, database());
  expect(follower.losses).toEqual([]);
  await second.database.close();
  await server.stop();
  server = await startPostgres({ dataDirectory: snapshot, persistent: true });
  const third = await writerOf(database());
  await third.commit(...ids('new', 20));
  expect(await identity()).toEqual(before);
  await follow(follower, database());
  expect(follower.losses).toHaveLength(1);
  await third.database.close();
});

test('a restore to a point in time, from a copy and the archive: followers learn what is gone', async () => {
  // The server may run as another user.
  const archive = newFolder(0o777);
  const dataDirectory = newDataDirectory('custody-mirror-archived');
  const settings = { archive_mode: 'on', archive_command: `cp %p ${archive}/%f` };
  let server = await startPostgres({ dataDirectory, persistent: true, settings });
  onCleanup(() => server.stop());
  await server.createDatabase('custody');
  const database = (): Queried => onServer(server.url('custody'));
  expect(await runHere(['migrate'], { env: { DATABASE_URL: database().url } })).toMatchObject({ code: 0 });
  await server.stop();
  const files = server.dataDirectory;
  const base = `${files}-base`;
  execFileSync('cp', ['-a', files, base]);
  onCleanup(async () => void execFileSync('rm', ['-rf', files, base]));

  server = await startPostgres({ dataDirectory: files, persistent: true, settings });
  const follower = startFollower();
  const writer = await writerOf(database());
  await writer.commit(...ids('kept', 5));
  const [point] = await database().query<{ at: string }>('select clock_timestamp()::text as at');
  await writer.commit(...ids('lost', 5));
  await follow(follower, database());
  await writer.database.close();
  const [switched] = await database().query<{ file: string }>(
    'select pg_walfile_name(pg_switch_wal()) as file',
  );
  await waitFor(() => existsSync(join(archive, switched?.file ?? '')), { what: 'the archive' });
  await server.stop();

  writeFileSync(join(base, 'recovery.signal'), '', { mode: 0o666 });
  server = await startPostgres({
    dataDirectory: base,
    persistent: true,
    settings: recoverySettings(archive, point?.at ?? ''),
  });
  const recovering = 'select from pg_stat_activity where pg_is_in_recovery() limit 1';
  await waitFor(async () => (await database().query(recovering)).length === 0, {
    what: 'the end of recovery',
  });
  const next = await writerOf(database());
  const left = [...(await changesOf(database(), account)).values()];
  expect(left).toEqual(ids('kept', 5).map((id) => expect.stringContaining(` ${id} `)));
  await next.commit(...ids('new', 20));
  await follow(follower, database());
  expect(follower.losses).toHaveLength(1);
  await next.database.close();
});

test('a replica promoted without the last rows: followers learn what is gone, and nothing while it lags', async () => {
  const servers = await startReplicated();
  const { primary, replica } = servers;
  expect(await runHere(['migrate'], { env: { DATABASE_URL: primary.url } })).toMatchObject({ code: 0 });
  const follower = startFollower();
  const first = await writerOf(primary);
  await first.commit(...ids('kept', 5));
  await servers.untilCaughtUp();
  await follow(follower, replica);
  await replica.stop();
  await first.database.close();
  // As after a restart of the primary, its history has a name that the replica has not heard of.
  await primary.query("update custody.histories set origin = 'another start'");
  const renamed = await writerOf(primary);
  await renamed.commit(...ids('lost', 5));
  await follow(follower, primary);
  const list = '/api/v1/transactions?limit=2&sort=transaction_id';
  const { next_cursor: cursor } = await (await startApi(primary.url)).json(list);
  await renamed.database.close();
  await primary.stop();
  await servers.restartReplica();
  // A replica cannot tell a loss from a delay.
  const api = await startApi(replica.url);
  const ahead = await api.get(
    `/api/v1/changes?after=${follower.place().after}&history=${follower.place().history}`,
  );
  expect([ahead.status, await ahead.json()]).toMatchObject([409, { code: 'changes-ahead' }]);
  expect((await api.json(`${list}&cursor=${cursor}`)).data).not.toEqual([]);
  const [said] = await replica.query(documented('Promote a replica', 'sql'));
  expect(said).toMatchObject({ pg_is_in_recovery: true, pg_last_wal_receive_lsn: expect.any(String) });
  await servers.promote();
  const second = await writerOf(replica);
  await second.commit(...ids('new', 20));
  await follow(follower, replica);
  expect(follower.losses).toHaveLength(1);
  await second.database.close();
});
