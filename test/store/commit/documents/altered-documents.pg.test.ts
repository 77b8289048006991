// Rows of vaults that somebody changed in the database, whatever they changed: the next list goes on from
// history, puts the rows back, and reports what it found.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOfStored } from '../../../../src/custody/decode/stored.ts';
import type { Vault } from '../../../../src/domain/document.ts';
import type { ListItem } from '../../../../src/domain/page.ts';
import { commitVaults } from '../../../../src/store/commit/documents/commit-documents.ts';
import { replayed } from '../../../seal/replayed.ts';
import { sized } from '../../../support/form.ts';
import { account, epoch, noRequests, openStore, type Store } from '../../../support/store.ts';

/** The time of retrieval is part of a document, and no content. */
function vault(id: string, name: string, timestamp: number): ListItem<Vault> {
  const document = JSON.stringify({ vault_id: id, name, timestamp });
  const hash = digestOfStored(document) ?? '';
  return {
    kind: 'record',
    key: id,
    hash,
    record: { vaultId: id, vaultType: 'warm', name, document, contentHash: hash },
  };
}

function commit(store: Store, began: number, names: Readonly<Record<string, string>>) {
  return commitVaults(store.database, store.lease, store.run, {
    items: Object.entries(names).map(([id, name]) => vault(id, name, began)),
    observation: { beganAt: epoch + began, arrivedAt: epoch + began + 1 },
    listIsComplete: true,
    tally: noRequests,
    digestOf: digestOfStored,
  });
}

const rows = (store: Store) => store.query('select * from custody.vaults order by vault_id');
const states = async (store: Store) =>
  (
    await store.query<{ text: string }>(
      `select concat_ws(' ', document_id, revision, change, name) as text from custody.document_revisions order by 1`,
    )
  ).map(({ text }) => text);
const found = (store: Store) =>
  store.query<{ id: string; found: Record<string, unknown> }>(
    `select resource_id as id, details->'found' as found from sync.anomalies
     where kind = 'altered' and resource = 'vaults' order by 1`,
  );

test('a deleted row is written again, and its history goes on', async () => {
  const store = await openStore();
  await commit(store, 0, { a: 'A', b: 'B', c: 'C' });
  const honest = await rows(store);
  await store.query('delete from custody.vaults');
  expect(await commit(store, 10, { a: 'A', b: 'B2', c: 'C' })).toMatchObject({ added: 0, changed: 1 });
  expect(await states(store)).toEqual(['a 1 added A', 'b 1 added B', 'b 2 changed B2', 'c 1 added C']);
  const [a, , c] = await rows(store);
  expect([a, c]).toEqual([honest[0], honest[2]]);
  expect(await found(store)).toEqual(['a', 'b', 'c'].map((id) => ({ id, found: { row: null } })));
});

test('a row that nobody observed is overwritten, or stays out of history', async () => {
  const store = await openStore();
  await commit(store, 0, { a: 'A' });
  await store.query(`insert into custody.vaults
    select (jsonb_populate_record(v, jsonb_build_object('vault_id', id, 'first_seen_at', '2001-01-01'))).*
    from custody.vaults v, unnest(array['b', 'x']) as id`);
  expect(await commit(store, 10, { a: 'A', b: 'B' })).toMatchObject({ added: 1 });
  expect(await states(store)).toEqual(['a 1 added A', 'b 1 added B']);
  expect((await rows(store))[1]).toMatchObject({ name: 'B', first_seen_at: new Date(epoch + 11) });
  expect((await found(store)).map(({ id }) => id)).toEqual(['b', 'x']);
});

const forgeries = [
  `name = 'forged'`,
  `content_hash = 'forged'`,
  `missing_since = '2030-01-01'`,
  `missing_since = null`,
  `first_seen_at = '2001-01-01'`,
  `changed_at = '2001-01-01'`,
  `document = '{"vault_id": "forged"}'`,
  `changed_at = 'infinity'`,
];

test('whatever is changed in a row, it is put back, and no value of it enters history', async () => {
  const store = await openStore();
  let clock = 0;
  const tick = () => {
    clock += 10;
    return clock;
  };
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...forgeries), {
        minLength: 1,
        maxLength: 3,
        selector: (text) => text.split(' ')[0],
      }),
      fc.constantFrom('a', 'b', 'gone'),
      fc.boolean(),
      async (set, id, changes) => {
        // The last one is of a vault that the service no longer shows.
        await commit(store, tick(), { a: 'A', b: 'B', gone: 'G' });
        await commit(store, tick(), { a: 'A', b: 'B' });
        const honest = await rows(store);
        const before = await states(store);
        await store.query(`update custody.vaults set ${set.join()} where vault_id = $1`, [id]);
        const counts = await commit(store, tick(), { a: 'A', b: changes ? `B${clock}` : 'B' });
        const changed = changes ? 1 : 0;
        expect(counts).toMatchObject({ added: 0, restored: 0, removed: 0, changed });
        expect((await states(store)).length - before.length).toBe(changed);
        expect((await states(store)).join()).not.toContain('forged');
        const now = await rows(store);
        for (const [index, row] of honest.entries())
          if (!changes || row['vault_id'] !== 'b') expect(now[index]).toEqual(row);
        expect(await replayed(store.database, account)).toBeNull();
      },
    ),
    { numRuns: sized({ short: 8, long: 40 }) },
  );
  expect((await found(store)).length).toBeGreaterThan(0);
});
