// verify where the rows come from another server: a streaming replica, a logical one and a copy accuse
// nobody, also while they are behind, and show what was changed there.
import { expect, test } from 'vitest';
import { verdictText } from '../../src/cli/text/seal-text.ts';
import { verifyHistory } from '../../src/seal/verify.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { longTest } from '../support/form.ts';
import { startReplicated } from '../support/replicated.ts';
import { withClient } from '../support/server.ts';
import { account, open } from '../support/store.ts';
import { waitFor } from '../support/wait-for.ts';
import { logicalServer, publish, subscriptionTo } from '../system/clients/logical-mirror.ts';
import { openHistory, openSealed, type SealedHistory } from './sealed-history.ts';

const given = (url: string): TestDatabase => ({
  url,
  query: (sql, params = []) => withClient(url, async (client) => (await client.query(sql, [...params])).rows),
  drop: async () => undefined,
});

async function verifyOn(
  url: string,
  { file, verifier }: SealedHistory,
  checkpointsFile: string | null = file,
) {
  const { signal } = new AbortController();
  const database = open(url);
  const verdict = await verifyHistory({ database, account, verifiers: [verifier], checkpointsFile, signal });
  return { ...verdict, text: verdictText(verdict, account, checkpointsFile) };
}

const isIntact = { finding: null, behind: null, present: 60 };

longTest(
  'a streaming replica proves what it has replayed, and names the checkpoints that it has not',
  async () => {
    const { primary, replica, untilCaughtUp } = await startReplicated();
    await migrate(open(primary.url));
    const history = await openHistory(given(primary.url));
    await history.grow();
    await history.seal();
    await untilCaughtUp();
    for (const file of [history.file, null])
      expect(await verifyOn(replica.url, history, file)).toMatchObject(isIntact);
    await replica.query('select pg_wal_replay_pause()');
    await waitFor(
      async () =>
        (await replica.query(`select from pg_get_wal_replay_pause_state() s where s = 'paused'`)).length > 0,
    );
    await history.grow();
    await history.seal();
    const behind = await verifyOn(replica.url, history);
    expect(behind).toMatchObject({ ...isIntact, behind: { checkpoints: expect.any(Number) } });
    expect(behind.text).toMatch(/^intact[\s\S]+Not proven: the file has \d+ later checkpoints/);
    await replica.query('select pg_wal_replay_resume()');
    await untilCaughtUp();
    expect(await verifyOn(replica.url, history)).toMatchObject({ ...isIntact, present: 120 });
    await history.unguarded(`update custody.transactions set amount = 9 where transaction_id = '1-0-ü'`);
    await untilCaughtUp();
    expect(await verifyOn(replica.url, history)).toMatchObject({
      finding: { kind: 'present', column: 'amount' },
    });
  },
  400_000,
);

longTest(
  'a logical replica does so with the file, and refuses while it still copies',
  async () => {
    // In one server a subscription would wait for itself.
    const { mirror } = (await logicalServer('mirror')).databases;
    const { copy } = (await logicalServer('copy')).databases;
    for (const database of [mirror, copy]) await database.migrate();
    const history = await openHistory(given(mirror.url));
    await history.grow();
    await history.seal();
    await publish(mirror);
    const copying = { code: 'SEAL-REFUSED', message: expect.stringContaining('is still being copied') };
    await copy.query(subscriptionTo(mirror).replace(';', ' with (enabled = false);'));
    await expect(verifyOn(copy.url, history)).rejects.toMatchObject(copying);
    await copy.query('alter subscription mirror enable');
    const left = `select from pg_subscription_rel where srsubstate <> 'r'`;
    await waitFor(async () => (await copy.query(left)).length === 0);
    expect(await verifyOn(copy.url, history)).toMatchObject(isIntact);
    await copy.query('alter subscription mirror disable');
    await history.grow();
    await history.seal();
    expect(await verifyOn(copy.url, history)).toMatchObject({
      ...isIntact,
      behind: { checkpoints: expect.any(Number) },
    });
    await copy.query('alter subscription mirror enable');
    const size = (await history.verify()).upTo?.size;
    await waitFor(async () => (await verifyOn(copy.url, history)).upTo?.size === size, {});
    await copy.query(
      `set session_replication_role = replica; update custody.transaction_status_history set to_status = 'x' where transaction_id = '1-0-ü'`,
    );
    expect((await verifyOn(copy.url, history)).finding).not.toBeNull();
  },
  400_000,
);

longTest(
  'a subscription of other tables makes no replica: a fork is one',
  async () => {
    const history = await openSealed();
    const older = await testDatabase({ copyOf: history.store });
    await history.grow();
    await history.seal();
    await older.query(`
    create table other (id int);
    create subscription others connection 'dbname=none' publication others with (connect = false);
    set allow_system_table_mods = on;
    insert into pg_subscription_rel select oid, 'other'::regclass, 'i' from pg_subscription where subname = 'others';
    reset allow_system_table_mods`);
    try {
      await expect(verifyOn(older.url, history)).resolves.toMatchObject({
        finding: { kind: 'fork' },
        behind: null,
      });
    } finally {
      await older.query(
        'alter subscription others disable; alter subscription others set (slot_name = none)',
      );
      await older.query('drop subscription others');
    }
  },
  120_000,
);

test('a copy proves what it has, and a later file is a fork', async () => {
  const history = await openSealed();
  const copy = await testDatabase({ copyOf: history.store });
  for (const file of [history.file, null])
    expect(await verifyOn(copy.url, history, file)).toMatchObject(isIntact);
  await history.grow();
  await history.seal();
  expect(await verifyOn(copy.url, history)).toMatchObject({ finding: { kind: 'fork' }, behind: null });
});
