// A verification in parts: it goes on where one was interrupted, keeps no state of the database between two
// parts, and finds what one in a single state finds, beside a mirror that writes.
import { expect, test } from 'vitest';
import { verifyHistory } from '../../src/seal/verify.ts';
import { longTest } from '../support/form.ts';
import { account } from '../support/store.ts';
import { openHistory } from './sealed-history.ts';

const rows = 30;

async function openInParts() {
  const history = await openHistory();
  await history.grow();
  await history.seal({ atOnce: 10 });
  const { store, verifier, file } = history;
  let first: number | undefined;
  const { database } = store;
  const onProgress = (read: number) => {
    first ??= read;
  };
  const verify = async (from: number, after: (place: number) => unknown) => {
    first = undefined;
    const { signal } = new AbortController();
    const options = { database, account, verifiers: [verifier], checkpointsFile: file, signal, onProgress };
    return await verifyHistory({ ...options, parts: { from, rows, after: async (place) => after(place) } });
  };
  return { ...history, verify, whole: history.verify, first: () => first };
}

test('it ends with the verdict of a whole one, and begins where it was interrupted', async () => {
  const { verify, whole, first, store } = await openInParts();
  const { upTo } = await whole();
  const places: number[] = [];
  const open = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and backend_type = 'client backend'`;
  const verdict = await verify(0, async (place) => {
    places.push(place);
    expect(await store.query(open)).toEqual([]);
  });
  expect(verdict).toMatchObject({ finding: null, upTo: { size: upTo?.size } });
  expect(places.length).toBeGreaterThan(3);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const [, second = 0] = places;
  const again: number[] = [];
  await verify(second, (place) => again.push(place));
  expect(again).toEqual(places.slice(2));
  const end = upTo?.size ?? 0;
  await verify(end - 10, () => undefined);
  expect(first()).toBeGreaterThan(end - 10);
  // A place that is none is not believed.
  for (const none of [end + 10, 7, -1]) {
    await verify(none, () => undefined);
    expect(first(), `${none}`).toBeLessThan(end - 10);
  }
}, 240_000);

longTest(
  'next to a mirror that writes and seals it accuses nobody',
  async () => {
    const { verify, grow, seal } = await openInParts();
    let nth = 0;
    const verdict = await verify(0, async () => {
      nth += 1;
      if (nth > 4) return;
      await grow();
      await seal({ atOnce: 25 });
    });
    expect(verdict.finding).toBeNull();
  },
  240_000,
);

longTest(
  'each part finds what was changed in it',
  async () => {
    const history = await openInParts();
    await history.grow();
    const { verify, whole, store, unguarded } = history;
    const changes = [
      `update custody.transactions set amount = 7 where transaction_id = '1-0-ü'`,
      `update custody.transactions set amount = 7 where transaction_id = '1-39-ü'`,
      `update custody.transactions set amount = 7 where transaction_id = '2-39-ü'`,
      `update custody.vaults set name = 'x' where vault_id = 'vault1-9'`,
      `delete from custody.whitelist_entries where entry_id = 'entry1-3'`,
      `insert into custody.vaults select (jsonb_populate_record(v, '{"vault_id": "added"}')).* from custody.vaults v where vault_id = 'vault1-0'`,
      `update custody.transaction_status_history set to_status = 'x' where transaction_id = '1-20-ü' and sequence = 1`,
      `delete from custody.document_revisions where document_id = 'vault1-9'`,
    ];
    const tables =
      'transactions vaults whitelist_entries transaction_status_history document_revisions'.split(' ');
    for (const table of tables) await store.query(`create table kept_${table} as table custody.${table}`);
    for (const change of changes) {
      await unguarded(change);
      const { finding } = await whole();
      expect(finding, change).not.toBeNull();
      expect((await verify(0, () => undefined)).finding, change).toEqual(finding);
      for (const table of tables)
        await unguarded(
          `delete from custody.${table}; insert into custody.${table} select * from kept_${table}`,
        );
    }
    expect((await verify(0, () => undefined)).finding).toBeNull();
  },
  240_000,
);

longTest(
  'a part that ends at the number of a forged row sees it',
  async () => {
    const { verify, whole, unguarded, store } = await openInParts();
    const places: number[] = [];
    await verify(0, (place) => places.push(place));
    for (const place of places) {
      await unguarded(`insert into custody.balance_snapshots
      select (jsonb_populate_record(s, jsonb_build_object('snapshot_at', s.snapshot_at + interval '1 second',
        'change_id', (select last_change_id from sync.seal_checkpoints where tree_size = ${place})))).*
      from custody.balance_snapshots s order by snapshot_at desc limit 1`);
      const { finding } = await whole();
      expect(finding, `${place}`).toMatchObject({ kind: 'inserted', table: 'custody.balance_snapshots' });
      expect((await verify(0, () => undefined)).finding, `${place}`).toEqual(finding);
      await store.query('alter table custody.balance_snapshots disable trigger all');
      await store.query(`delete from custody.balance_snapshots where extract(second from snapshot_at) = 1`);
      await store.query('alter table custody.balance_snapshots enable trigger all');
    }
  },
  240_000,
);

test.each([
  ['is in the file alone', 'delete from sync.seal_checkpoints where tree_size ='],
  ['has another last number', 'update sync.seal_checkpoints set last_change_id = 1 where tree_size ='],
])(
  'it goes forward and comes to an end where a checkpoint of a part %s',
  async (_, change) => {
    const { verify, unguarded, whole } = await openInParts();
    const places: number[] = [];
    await verify(0, (place) => places.push(place));
    await unguarded(`${change} ${places[1]}`);
    const again: number[] = [];
    const verdict = await verify(0, (place) => {
      expect(place).toBeGreaterThan(again.at(-1) ?? 0);
      again.push(place);
    });
    expect(verdict).toMatchObject({ finding: null, upTo: { size: (await whole()).upTo?.size } });
  },
  240_000,
);
