// A PostgreSQL that is set back by its own means while a mirror uses it: base backup and archive, a
// restore to a moment, a replica that is promoted with or without loss, a dump. Its address stays, as
// behind a proxy.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '../../../packages/demo/src/embedded-postgres/server.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import type { Row, TestDatabase } from '../../support/database.ts';
import { openGate } from '../../support/gate.ts';
import { startPostgres } from '../../support/postgres.ts';
import { withClient } from '../../support/server.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface DayServer extends Pick<TestDatabase, 'query'> {
  /** By way of a gate that leads to whichever server is the primary; it changes with a restored dump. */
  readonly url: string;
  /** Copies the files of the stopped server, and archives what comes after. */
  backUp(): Promise<void>;
  /** A moment after all that is committed now. */
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

const patient = { deadlineMs: 120_000 };

const program = (name: string, args: readonly string[]) => execFileSync(name, args);

export async function openDayServer(version: string): Promise<DayServer> {
  const folder = mkdtempSync(join(tmpdir(), 'custody-mirror-day-'));
  // The server may run as another user.
  chmodSync(folder, 0o777);
  const made = [folder];
  onCleanup(async () => {
    for (const each of made) rmSync(each, { recursive: true, force: true });
  });
  const start = (dataDirectory: string, settings: Record<string, string>, port?: number) =>
    startPostgres({ dataDirectory, persistent: true, port, settings }, version);
  const archiving = () => {
    const archive = mkdtempSync(join(folder, 'archive-'));
    chmodSync(archive, 0o777);
    return {
      archive,
      settings: { archive_mode: 'on', archive_command: `cp %p ${archive}/%f`, wal_keep_size: '1GB' },
    };
  };
  let server: EmbeddedPostgres = await start(newDataDirectory('custody-mirror-day'), {});
  made.push(server.dataDirectory);
  const running = new Set([server]);
  onCleanup(async () => {
    for (const each of running) await each.stop();
  });
  await server.createDatabase('custody');
  let database = 'custody';
  let [dumps, restores] = [0, 0];
  let base: { readonly directory: string; readonly archive: string } | null = null;
  let replica: EmbeddedPostgres | null = null;
  const gate = await openGate(server.url(database));
  const first = server.dataDirectory;

  const copyOf = (directory: string, signal?: string) => {
    const copy = `${first}-${made.length}`;
    made.push(copy);
    execFileSync('cp', ['-a', directory, copy]);
    if (signal !== undefined) {
      const { uid, gid } = statSync(copy);
      writeFileSync(join(copy, signal), '');
      chownSync(join(copy, signal), uid, gid);
    }
    return copy;
  };
  const stop = async (stopped: EmbeddedPostgres) => {
    await stopped.stop();
    running.delete(stopped);
  };
  const become = (next: EmbeddedPostgres) => {
    server = next;
    running.add(next);
    gate.leadTo(next.url(database));
    gate.set('pass');
  };
  const ask = <Found extends Row>(of: EmbeddedPostgres, sql: string, params: readonly unknown[] = []) =>
    withClient(of.url(database), async (client) => (await client.query<Found>(sql, [...params])).rows);
  const query: DayServer['query'] = (sql, params) => ask(server, sql, params);
  const untilPrimary = (of: EmbeddedPostgres) =>
    waitFor(
      async () => (await ask<{ done: boolean }>(of, 'select not pg_is_in_recovery() as done'))[0]?.done,
      { what: 'the end of recovery', ...patient },
    );
  const needBase = async () => {
    if (base === null) await day.backUp();
    if (base === null) throw new Error('there is no backup');
    return base;
  };
  const replicaSettings = () => {
    const { port, password } = new URL(server.url(database));
    return {
      primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password}`,
      max_standby_streaming_delay: '-1',
    };
  };
  const promoted = async (next: EmbeddedPostgres) => {
    await ask(next, 'select pg_promote(wait_seconds => 120)');
    await untilPrimary(next);
    [base, replica] = [null, null];
    become(next);
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

  const day: DayServer = {
    get url() {
      return Object.assign(new URL(gate.url), { pathname: `/${database}` }).href;
    },
    query,
    async backUp() {
      const { port, dataDirectory } = server;
      await stop(server);
      const { archive, settings } = archiving();
      base = { directory: copyOf(dataDirectory), archive };
      become(await start(dataDirectory, settings, port));
    },
    async moment() {
      await needBase();
      const [row] = await query<{ at: string }>('select clock_timestamp()::text as at');
      return row?.at ?? '';
    },
    async restoreTo(moment) {
      const { directory, archive } = await needBase();
      // Recovery stops at the first commit after the moment: there is one.
      await query('select pg_current_xact_id()');
      const [row] = await query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
      await waitFor(() => existsSync(join(archive, row?.file ?? '')), { what: 'the archive', ...patient });
      gate.set('cut');
      const { port } = server;
      await stop(server);
      const settings = {
        restore_command: `cp ${archive}/%f "%p"`,
        recovery_target_time: moment,
        recovery_target_action: 'promote',
      };
      const restored = await start(copyOf(directory, 'recovery.signal'), settings, port);
      await untilPrimary(restored);
      [base, replica] = [null, null];
      become(restored);
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
      become(server);
    },
    async startReplica() {
      const { directory } = await needBase();
      replica = await start(copyOf(directory, 'standby.signal'), replicaSettings());
      running.add(replica);
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
  return day;
}
