// What people read follows from the sealed history: every change of a row by a superuser is found, with its
// column, and no honest history is accused. PRESENT_SEED draws the same changes again.
import { expect, test } from 'vitest';
import { verdictText } from '../../src/cli/text/seal-text.ts';
import { roomOfPass } from '../../src/seal/reading.ts';
import type { PresentFinding } from '../../src/seal/replay.ts';
import { presentTables, type SealedTable } from '../../src/seal/tables.ts';
import { commitVaults } from '../../src/store/commit/documents/commit-documents.ts';
import { markMissingTransactions } from '../../src/store/commit/mark-missing.ts';
import { startRun } from '../../src/store/run/runs.ts';
import { longTest, sized } from '../support/form.ts';
import {
  account,
  epoch,
  item,
  noRequests,
  page,
  pageOf,
  transaction,
  undecodable,
} from '../support/store.ts';
import { commit } from '../support/transaction-commits.ts';
import { createRandom, otherValue } from './random-changes.ts';
import { openHistory, openSealed, roomsOfPass, type SealedHistory } from './sealed-history.ts';

const seed = sized({ short: Date.now() % 1_000_000, long: Date.now() % 1_000_000 }, 'PRESENT_SEED');
const changes = sized({ short: 20, long: 1_000 }, 'PRESENT_CHANGES');

type Expected = Pick<PresentFinding, 'table' | 'key' | 'column'>;

async function change(history: SealedHistory, random: ReturnType<typeof createRandom>): Promise<Expected> {
  const table: SealedTable = random.pick(presentTables);
  const { name, key: keys, columns } = table;
  const id = keys[1] ?? '';
  const rows = await history.store.query<{ ctid: string; id: string }>(
    `select ctid::text, ${id} as id from ${name} order by ctid`,
  );
  const row = random.pick(rows);
  const own = `where ctid = '${row.ctid}'`;
  const whole = { table: name, key: [account, row.id], column: null };
  const into = [...columns.keys()];
  switch (random.pick(['changed', 'changed', 'changed', 'removed', 'added'] as const)) {
    case 'removed':
      await history.unguarded(`delete from ${name} ${own}`);
      return whole;
    case 'added': {
      const values = into.map((column) => (column === id ? `'added'` : `"${column}"`));
      await history.unguarded(
        `insert into ${name} (${into.join()}) select ${values.join()} from ${name} ${own}`,
      );
      return { ...whole, key: [account, 'added'] };
    }
    case 'changed': {
      const [column, type] = random.pick([...columns]);
      await history.unguarded(`update ${name} set "${column}" = ${otherValue(`"${column}"`, type)} ${own}`);
      // In several passes the row under its new key may be met before the missing one.
      const either = expect.stringMatching(new RegExp(`^${row.id} ?$`));
      return keys.includes(column) ? { ...whole, key: [account, either] } : { ...whole, column };
    }
  }
}

test(`of ${changes} changes of present rows each is found, with its column (PRESENT_SEED=${seed})`, async () => {
  // All at once, or in many passes.
  const rooms = roomsOfPass({ leaves: 60, intervals: 3, keys: 9 });
  const history = await openHistory();
  const { query } = history.store;
  await history.grow();
  await history.grow();
  await history.seal();
  const honest = await history.verify();
  expect(honest).toMatchObject({ finding: null, present: 80 + 40 });
  for (const { name } of presentTables) {
    const checks = await query<{ name: string }>(
      `select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
      [name],
    );
    for (const check of checks) await query(`alter table ${name} drop constraint "${check.name}"`);
    await query(`create table "kept ${name}" as table ${name}`);
  }
  const random = createRandom(seed);
  for (let nth = 0; nth < changes; nth += 1) {
    const expected = await change(history, random);
    Object.assign(roomOfPass, random.pick(rooms));
    const verdict = await history.verify();
    expect(verdict.finding, `change ${nth}`).toMatchObject({ kind: 'present', ...expected });
    const said = verdictText(verdict, account, history.file);
    expect(said).toContain(expected.table);
    if (expected.column !== null) expect(said).toContain(`${expected.column} of `);
    for (const { name } of presentTables)
      await history.unguarded(`delete from ${name}; insert into ${name} select * from "kept ${name}"`);
  }
  expect((await history.verify()).finding).toBeNull();
}, 3_600_000);

test('what the table says and what history says is shown as people read it', async () => {
  const { unguarded, verify } = await openSealed();
  await unguarded(`update custody.transactions set amount = 999 where transaction_id = '1-1-ü'`);
  expect(verdictText(await verify(), account, null)).toContain(
    'amount of custody.transactions (account_id acme, transaction_id 1-1-ü) does not follow from its history, which is as it was sealed: history says 2.50, the table says 999.',
  );
  await unguarded(
    `update custody.transactions set amount = 2.50, first_seen_at = '2020-01-01T00:00:00Z' where transaction_id = '1-1-ü'`,
  );
  expect(verdictText(await verify(), account, null)).toContain('the table says 2020-01-01T00:00:00.000000Z.');
});

test('the time of the last change of a transaction that was seen once is proven', async () => {
  const { store, lease, seal, unguarded, verify } = await openSealed();
  await commit({ ...store, lease: lease() }, pageOf([{ id: 'once' }], 100_000));
  await seal();
  expect((await verify()).finding).toBeNull();
  const forged = `changed_at = changed_at - interval '30 days'`;
  await unguarded(`update custody.transactions set ${forged} where transaction_id = 'once'`);
  const found = { kind: 'present', key: [account, 'once'], column: 'changed_at' };
  expect((await verify()).finding).toMatchObject(found);
  await unguarded(`update custody.transaction_status_history set read_at = (select changed_at from custody.transactions
    where transaction_id = 'once') where transaction_id = 'once'`);
  expect((await verify()).finding).toMatchObject({ kind: 'changed', key: [account, 'once', '1'] });
});

test('a row that is there twice, or has lost its record, is found', async () => {
  const { unguarded, verify, store } = await openSealed();
  await store.query('alter table custody.transactions alter raw drop not null');
  await unguarded(`update custody.transactions set raw = null where transaction_id = '1-1-ü'`);
  const key = [account, '1-1-ü'];
  expect((await verify()).finding).toMatchObject({ kind: 'present', column: 'raw', key });
  await unguarded(`delete from custody.transactions where transaction_id = '1-1-ü'`);
  expect((await verify()).finding).toMatchObject({ kind: 'present', column: null, shown: null, key });
  const id = [account, 'vault1-3'];
  const copied = await openSealed();
  await copied.store.query('alter table custody.vaults drop constraint vaults_pkey');
  await copied.unguarded(
    `insert into custody.vaults select * from custody.vaults where vault_id = 'vault1-3'`,
  );
  const verdict = await copied.verify();
  expect(verdict.finding).toMatchObject({ kind: 'present', table: 'custody.vaults', key: id });
  expect(verdictText(verdict, account, null)).toContain('is there more than once.');
});

test('quarantine, late corrections, missing and returned records are honest', async () => {
  const history = await openSealed();
  const { store, seal, verify } = history;
  const lease = history.lease();
  const run = await startRun(store.database, lease, { job: 'transactions', mode: 'full' });
  const own = { ...store, lease, run };
  const at = 100_000;
  const vanish = (ids: readonly string[], asked: number) =>
    markMissingTransactions(store.database, lease, run, {
      ids,
      asked: epoch + asked,
      missingSince: epoch + asked,
    });
  // Unreadable at first, and then read: first seen when it was listed.
  await commit(own, page([undecodable('q')], at));
  await commit(
    own,
    pageOf([{ id: 'q', timestamp: '2026-01-01T00:00:00.1234565+05:30' }, { id: 'once' }], at + 10),
  );
  // Several observations in one commit, and a change after a settled status.
  await commit(own, pageOf([{ id: 'v' }, { id: 'w' }, { id: 'x' }], at + 20));
  await commit(
    own,
    pageOf([{ id: 'v', status: 'completed' }], at + 30),
    pageOf([{ id: 'v', status: 'completed', amount: '7' }], at + 40),
    pageOf(
      [{ id: 'v', status: 'rejected', amount: '7', note: 'late', timestamp: '2026-01-01T00:00Z' }],
      at + 50,
    ),
  );
  await vanish(['v', 'w', 'x'], at + 60);
  expect((await verify()).finding).toBeNull();
  // Shown again: as it was, with another content, not at all.
  await commit(
    own,
    pageOf(
      [
        { id: 'v', status: 'rejected', amount: '7', note: 'late' },
        { id: 'w', status: 'failed' },
      ],
      at + 70,
    ),
  );
  await commit(own, page([item({ ...transaction({ id: 'once' }) })], at + 80));
  const listing = { listIsComplete: true, tally: noRequests };
  const list = (items: never[], began: number) =>
    commitVaults(store.database, lease, run, {
      ...listing,
      items,
      observation: { beganAt: epoch + began, arrivedAt: epoch + began + 1 },
    });
  expect(await list([], at + 90)).toMatchObject({ removed: 10 });
  expect((await verify()).finding).toBeNull();
  await seal();
  expect(await verify()).toMatchObject({ finding: null, unsealed: 0 });
});

longTest(
  'nothing is said falsely while rows are written',
  async () => {
    const history = await openSealed();
    const { store, verify, grow, seal } = history;
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; n < 2; n += 1) {
        await grow();
        await seal();
      }
      isOver = true;
    })();
    let verified = 0;
    while (!isOver) {
      expect((await verify(null)).finding).toBeNull();
      verified += 1;
    }
    await writing;
    expect(verified).toBeGreaterThan(0);
    expect(await store.query('select 1 from sync.anomalies where kind = $1', ['altered'])).toEqual([]);
  },
  600_000,
);
