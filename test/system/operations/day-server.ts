// A PostgreSQL that is set back by its own means while a mirror uses it: base backup and archive, a
// restore to a moment, a replica that is promoted with or without loss, a dump. Its address stays, as
// behind a proxy.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import type { EmbeddedPostgres } from '../../../packages/demo/src/embedded-postgres/server.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import type { Row, TestDatabase } from '../../support/database.ts';
import { openGate } from '../../support/gate.ts';
import { runHere } from '../../support/in-process.ts';
import { startPostgres } from '../../support/postgres.ts';
import { withClient } from '../../support/server.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface DayServer extends Pick<TestDatabase, 'query'> {
  /** By way of a gate that leads to whichever server is the primary; it changes with a restored dump. */
  readonly url: string;
  /** Nobody reaches the server meanwhile, and connections that were there are gone. */
  cutOff(meanwhile: () => Promise<void>): Promise<void>;
  /** Copies the files of the running server, unless that was done since the last promotion or restore. */
  backUp(): Promise<void>;
  /** Names what `backUp` copied last; null since a promotion or restore. */
  readonly backup: string | null;
  /** After all that is committed now. */
  moment(): Promise<string>;
  /** Back to a moment after the last backup. */
  restoreTo(moment: string): Promise<void>;
  /** @returns the file */
  dump(): string;
  /** The dump as another database, to which the address leads from then on. */
  restoreDump(file: string): Promise<void>;
  startReplica(): Promise<void>;
  /** The replica gets nothing of what happens meanwhile, and is promoted; the primary is gone. */
  promoteWithLoss(meanwhile: () => Promise<void>): Promise<void>;
  /** The primary stops when the replica has everything, and the replica is promoted. */
  switchOver(): Promise<void>;
}

/** The files of a stopped server with a migrated database, which each day begins with a copy of. */
export interface DayTemplate {
  readonly version: string;
  readonly directory: string;
}

const patient = { deadlineMs: 120_000 };

const program = (name: string, args: readonly string[]) => execFileSync(name, args);

export async function dayTemplate(version: string): Promise<DayTemplate> {
  const options = { dataDirectory: newDataDirectory('custody-mirror-day'), persistent: true };
  const server = await startPostgres(options, version);
  onCleanup(async () => rmSync(server.dataDirectory, { recursive: true, force: true }));
  onCleanup(() => server.stop());
  await server.createDatabase('custody');
  const { code, stderr } = await runHere(['migrate'], { env: { DATABASE_URL: server.url('custody') } });
  if (code !== 0) throw new Error(stderr);
  await server.stop();
  return { version, directory: server.dataDirectory };
}

export async function openDayServer({ version, directory: template }: DayTemplate): Promise<DayServer> {
  const folder = mkdtempSync(join(tmpdir(), 'custody-mirror-day-'));
  // The server may run as another user.
  chmodSync(folder, 0o777);
  const made = [folder];
  onCleanup(async () => {
    for (const each of made) rmSync(each, { recursive: true, force: true });
  });

  const put = (directory: string, file: string, text: string) => {
    const { uid, gid } = statSync(directory);
    writeFileSync(join(directory, file), text);
    chownSync(join(directory, file), uid, gid);
  };
  const copyOf = (directory: string, signal?: string) => {
    const copy = `${template}-${basename(folder)}-${made.length}`;
    made.push(copy);
    // A server that runs removes files meanwhile, which is no fault: the log brings the copy up to date.
    const { stderr } = spawnSync('cp', ['-a', directory, copy], { encoding: 'utf8' });
    if (!existsSync(join(copy, 'PG_VERSION'))) throw new Error(stderr);
    if (signal !== undefined) put(copy, signal, '');
    return copy;
  };
  const running = new Set<EmbeddedPostgres>();
  onCleanup(async () => {
    for (const each of running) await each.stop();
  });
  const start = async (dataDirectory: string, settings: Record<string, string>, port?: number) => {
    const archive = mkdtempSync(join(folder, 'archive-'));
    chmodSync(archive, 0o777);
    const own = { archive_mode: 'on', archive_command: `cp %p ${archive}/%f`, wal_keep_size: '1GB' };
    const options = { dataDirectory, persistent: true, port, settings: { ...own, ...settings } };
    const started = Object.assign(await startPostgres(options, version), { archive });
    running.add(started);
    return started;
  };
  let server = await start(copyOf(template), {});
  let database = 'custody';
  let [dumps, restores] = [0, 0];
  let base: string | null = null;
  let replica: typeof server | null = null;
  const gate = await openGate(server.url(database));
  const openPool = () => new pg.Pool({ connectionString: server.url(database) }).on('error', () => undefined);
  let pool = openPool();
  onCleanup(() => pool.end());

  const stop = async (stopped: EmbeddedPostgres) => {
    await stopped.stop();
    running.delete(stopped);
  };
  const become = async (next: typeof server) => {
    server = next;
    await pool.end();
    pool = openPool();
    gate.leadTo(next.url(database));
    gate.set('pass');
  };
  const ask = <Found extends Row>(of: EmbeddedPostgres, sql: string) =>
    withClient(of.url(database), async (client) => (await client.query<Found>(sql)).rows);
  const query = async <Found extends Row>(sql: string, params: readonly unknown[] = []) =>
    (await pool.query<Found>(sql, [...params])).rows;
  const untilPrimary = (of: EmbeddedPostgres) =>
    waitFor(
      async () => (await ask<{ done: boolean }>(of, 'select not pg_is_in_recovery() as done'))[0]?.done,
      { what: 'the end of recovery', ...patient },
    );
  const replicaSettings = () => {
    const { port, password } = new URL(server.url(database));
    return {
      primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password}`,
      max_standby_streaming_delay: '-1',
    };
  };
  const promoted = async (next: typeof server) => {
    await ask(next, 'select pg_promote(wait_seconds => 120)');
    await untilPrimary(next);
    [base, replica] = [null, null];
    await become(next);
  };
  const untilCaughtUp = async (behind: EmbeddedPostgres) => {
    const [{ written } = { written: '' }] = await query<{ written: string }>(
      'select pg_current_wal_lsn()::text as written',
    );
    const replayed = `select pg_last_wal_replay_lsn() >= '${written}' as done`;
    await waitFor(async () => (await ask<{ done: boolean }>(behind, replayed))[0]?.done, {
      what: 'the replica to catch up',
      ...patient,
    });
  };
  const backUp = async () => {
    if (base !== null) return base;
    base = await withClient(server.url(database), async (client) => {
      await client.query("select pg_backup_start('day', true)");
      const copy = copyOf(server.dataDirectory);
      const { rows } = await client.query<{ label: string }>(
        'select labelfile as label from pg_backup_stop(false)',
      );
      rmSync(join(copy, 'postmaster.pid'));
      put(copy, 'backup_label', rows[0]?.label ?? '');
      return copy;
    });
    return base;
  };

  return {
    get url() {
      return Object.assign(new URL(gate.url), { pathname: `/${database}` }).href;
    },
    get backup() {
      return base;
    },
    query,
    async cutOff(meanwhile) {
      gate.set('cut');
      await meanwhile();
      gate.set('pass');
    },
    async backUp() {
      await backUp();
    },
    async moment() {
      const [row] = await query<{ at: string }>('select clock_timestamp()::text as at');
      return row?.at ?? '';
    },
    async restoreTo(moment) {
      const directory = await backUp();
      const { archive, port } = server;
      // Recovery stops at the first commit after the moment: there is one.
      await query('select pg_current_xact_id()');
      const [row] = await query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
      await waitFor(() => existsSync(join(archive, row?.file ?? '')), { what: 'the archive', ...patient });
      gate.set('cut');
      await stop(server);
      const settings = {
        restore_command: `cp ${archive}/%f "%p"`,
        recovery_target_time: moment,
        recovery_target_action: 'promote',
      };
      const restored = await start(copyOf(directory, 'recovery.signal'), settings, port);
      await untilPrimary(restored);
      [base, replica] = [null, null];
      await become(restored);
    },
    dump() {
      dumps += 1;
      const file = join(folder, `${dumps}.dump`);
      const schemas = '--schema=custody|reporting|sync|internal|drizzle';
      const args = ['--format=custom', '--no-owner', '--no-privileges', schemas, `--file=${file}`];
      program('pg_dump', [...args, server.url(database)]);
      return file;
    },
    async restoreDump(file) {
      gate.set('cut');
      restores += 1;
      database = `restored_${restores}`;
      await server.createDatabase(database);
      const args = ['--no-owner', '--no-privileges', '--exit-on-error', `--dbname=${server.url(database)}`];
      program('pg_restore', [...args, file]);
      base = null;
      await become(server);
    },
    async startReplica() {
      replica = await start(copyOf(await backUp(), 'standby.signal'), replicaSettings());
      await untilCaughtUp(replica);
    },
    async promoteWithLoss(meanwhile) {
      if (replica === null) throw new Error('there is no replica');
      const { dataDirectory, port } = replica;
      const settings = replicaSettings();
      await untilCaughtUp(replica);
      await stop(replica);
      await meanwhile();
      gate.set('cut');
      await stop(server);
      await promoted(await start(dataDirectory, settings, port));
    },
    async switchOver() {
      if (replica === null) throw new Error('there is no replica');
      gate.set('cut');
      await stop(server);
      await promoted(replica);
    },
  };
}
