import { expect, test } from 'vitest';
import { item, openStore, page, pageOf, transaction, undecodable } from '../../support/store.ts';
import { commit, none } from '../../support/transaction-commits.ts';

test('one identifier twice in a page gives one row, always the same one, and an anomaly', async () => {
  const store = await openStore();
  const twins = [
    { id: 'a', note: 'x' },
    { id: 'a', note: 'y' },
  ];
  expect(await commit(store, pageOf(twins, 0))).toEqual({ ...none, inserted: 1, stale: 1 });
  expect(await commit(store, pageOf(twins.toReversed(), 10))).toEqual({ ...none, unchanged: 1, stale: 1 });
  const twin = { kind: 'duplicate-id', resource_id: 'a', occurrences: '2', resolved_at: null };
  const found = await store.query<Record<'kept' | 'other', string>>(`
    select kind, resource_id, occurrences, resolved_at, t.note as kept,
      (details->'not_kept'->>0)::jsonb->'transaction'->>'note' as other from sync.anomalies, custody.transactions t`);
  expect(found).toMatchObject([twin]);
  expect(found.flatMap(({ kept, other }) => [kept, other]).toSorted()).toEqual(['x', 'y']);
});

test('of more contents under one identifier none is lost, readable or not', async () => {
  const store = await openStore();
  const notes = ['w', 'x', 'y', 'z'];
  await commit(
    store,
    pageOf(
      notes.map((note) => ({ id: 'a', note })),
      0,
    ),
  );
  const [found] = await store.query<Record<'kept' | 'others', unknown>>(`
    select note as kept, (select json_agg(o::jsonb->'transaction'->>'note') from jsonb_array_elements_text(details->'not_kept') o) as others
    from sync.anomalies, custody.transactions`);
  expect([found?.kept, ...Object.values(Object(found?.others))].toSorted()).toEqual(notes);
  const unreadable = ['"n/a"', '"?"'].map((raw) => undecodable('b', 'amount', raw));
  await commit(store, page(unreadable, 10));
  expect(await store.query('select record_key, raw from sync.quarantine order by 1')).toEqual([
    { record_key: 'b', raw: '"n/a"' },
    { record_key: 'b#2', raw: '"?"' },
  ]);
  await commit(store, pageOf([{ id: 'b' }], 20));
  expect(await store.query('select from sync.quarantine where resolved_at is null')).toEqual([]);
});

test('what an anomaly named stays when a later sweep shows something else, once and not without bounds', async () => {
  const store = await openStore();
  const sweep = (at: number, ...notes: readonly string[]) =>
    commit(
      store,
      pageOf(
        notes.map((note) => ({ id: 'a', note, timestamp: `2026-01-01T00:00:${at}Z` })),
        at,
      ),
    );
  const named = async () => {
    const rows = await store.query<{ note: string }>(`
      select o::jsonb->'transaction'->>'note' as note from sync.anomalies,
        jsonb_array_elements(jsonb_build_array(details) || coalesce(details->'earlier', '[]')) as e,
        jsonb_array_elements_text(e->'not_kept') as o`);
    return rows.map(({ note }) => note).toSorted();
  };
  await sweep(10, 'a', 'b');
  const [first] = await named();
  await sweep(20, 'c', 'd');
  await sweep(30, 'a', 'b');
  const both = await named();
  expect(both).toEqual([first, expect.stringMatching('c|d')]);
  const long = 'x'.repeat(2 ** 20);
  await sweep(40, `${long}1`, `${long}2`);
  expect(await named()).toEqual([...both, expect.stringContaining(long)]);
  await sweep(50, 'e', 'f');
  expect(await named()).toEqual([...both, expect.stringMatching('e|f')]);
});

test('undecodable records go to quarantine, their neighbours are kept, and they are resolved when readable', async () => {
  const store = await openStore();
  const bad = undecodable('q1');
  expect(await commit(store, page([item(transaction({ id: 'a' })), bad, bad], 0))).toEqual({
    ...none,
    inserted: 1,
    quarantined: 1,
  });
  await commit(store, page([bad], 10));
  const open = await store.query(
    'select record_key, reason, raw, occurrences, resolved_at from sync.quarantine',
  );
  expect(open).toEqual([
    {
      record_key: 'q1',
      reason: 'has no status',
      raw: '{"broken":true}',
      occurrences: '3',
      resolved_at: null,
    },
  ]);
  await commit(store, pageOf([{ id: 'q1' }], 20));
  const [resolved] = await store.query('select resolved_at from sync.quarantine');
  expect(resolved?.['resolved_at']).toBeInstanceOf(Date);
  await commit(store, page([bad], 30));
  expect(await store.query('select occurrences, resolved_at from sync.quarantine')).toEqual([
    { occurrences: '4', resolved_at: null },
  ]);
});

test('records without an id that nothing lasting distinguishes keep a row and a text each', async () => {
  const store = await openStore();
  const nameless = (raw: string) => ({ ...undecodable('digest', 'no id', raw), hash: 'digest' });
  const rows = () =>
    store.query('select record_key, raw, occurrences from sync.quarantine order by record_key');
  await commit(store, page([nameless('1'), nameless('2'), nameless('1')], 0));
  expect(await rows()).toEqual([
    { record_key: 'digest', raw: '1', occurrences: '2' },
    { record_key: 'digest#2', raw: '2', occurrences: '1' },
  ]);
  await commit(store, page([nameless('3'), nameless('4')], 10));
  expect(await rows()).toEqual([
    { record_key: 'digest', raw: '3', occurrences: '3' },
    { record_key: 'digest#2', raw: '4', occurrences: '2' },
  ]);
});

test('unknown values and a settled transaction that moves on are anomalies', async () => {
  const store = await openStore();
  await commit(
    store,
    pageOf(
      [
        { id: 'a', status: 'completed', type: 'teleport' },
        { id: 'b', type: 'teleport' },
      ],
      0,
    ),
  );
  await commit(store, pageOf([{ id: 'a', status: 'failed', type: 'teleport' }], 10));
  expect(await store.query('select kind, resource_id, details from sync.anomalies order by kind')).toEqual([
    { kind: 'settled-status-left', resource_id: 'a', details: { from: 'completed', to: 'failed' } },
    { kind: 'unknown-value', resource_id: 'transaction_type:teleport', details: { transaction_id: 'a' } },
  ]);
});
