// The connection that listens for changes: over a password that is rotated, and behind a pooler.
import { expect, test } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { openChangeSignal } from '../../../src/store/read-api/change-signal.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { testRole } from '../../support/roles.ts';
import { withClient } from '../../support/server.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';
import { pgbouncerIsInstalled, poolTransactions } from '../../system/faults/pgbouncer.ts';

const endListeners = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'custody-mirror api listen' and datname = current_database()`;

/** A watched account that does not exist: after the first look only a notification is a sign. */
function watching(direct: TestDatabase, url: Secret, lookEveryMs = 50) {
  const log = capturingLogger();
  const signal = openChangeSignal({ database: open(direct.url), url, logger: log.logger, lookEveryMs });
  onCleanup(() => signal.close());
  let signs = 0;
  signal.watch('nobody', () => {
    signs += 1;
  });
  return {
    signal,
    log,
    /** Resolves when a notification arrives as one. */
    async isNotified() {
      const before = signs;
      const notify = async () => {
        await direct.query(`select pg_notify('custody_events', '{"account_id":"nobody"}')`);
        return signs >= before + 2;
      };
      await waitFor(notify, { what: 'a notification', deadlineMs: 40_000 });
    },
  };
}

test('after a password was rotated, the connection that listens takes the address from its file again', async () => {
  const direct = await testDatabase();
  const role = await testRole(direct);
  let file = role.url;
  const { isNotified } = watching(direct, new Secret(file, () => file));
  await isNotified();
  await direct.query(`alter role ${role.name} password 'second'`);
  const rotated = new URL(role.url);
  rotated.password = 'second';
  file = rotated.href;
  await direct.query(endListeners);
  await isNotified();
}, 60_000);

test('settings that the address gives its connections stay, and it listens', async () => {
  const direct = await testDatabase();
  const url = new URL(direct.url);
  url.searchParams.set('options', '-c work_mem=5MB -c search_path=public');
  await watching(direct, new Secret(url.href)).isNotified();
}, 60_000);

const absent = pgbouncerIsInstalled ? '' : ' (skipped: pgbouncer is not installed)';
test.skipIf(!pgbouncerIsInstalled).each(['refuses', 'ignores'])(
  `behind a pooler that %s options nothing listens, and the log says so once${absent}`,
  async (does) => {
    const direct = await testDatabase();
    const settings = does === 'ignores' ? 'ignore_startup_parameters = options' : '';
    const pooled = await poolTransactions(direct.url, settings);
    const { signal, log } = watching(direct, new Secret(pooled));
    const said = () => log.entries().filter(({ msg }) => /connection pooler/.test(String(msg)));
    await waitFor(() => said().length > 0, { what: 'the line of the log' });
    // It looks on, and does not try again.
    await new Promise<void>((resolve) => signal.watch('somebody', resolve));
    expect(said()).toMatchObject([{ level: 'warn' }]);
    const channels = await withClient(pooled, (client) => client.query('select pg_listening_channels()'));
    expect(channels.rows).toEqual([]);
  },
  60_000,
);
