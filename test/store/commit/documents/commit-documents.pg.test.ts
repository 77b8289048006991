import { expect, test } from 'vitest';
import type { Vault } from '../../../../src/domain/document.ts';
import type { ListItem } from '../../../../src/domain/page.ts';
import { commitVaults } from '../../../../src/store/commit/documents/commit-documents.ts';
import { digest, epoch, noRequests, openStore, type Store, undecodable } from '../../../support/store.ts';

const none = { added: 0, changed: 0, removed: 0, restored: 0, quarantined: 0, stale: 0 };

function vault(
  id: string,
  fields: Record<string, unknown> = {},
  vaultType: string | null = 'warm',
): ListItem<Vault> {
  const document = JSON.stringify({ vault_id: id, ...fields });
  const hash = digest(document);
  const name = typeof fields['name'] === 'string' ? fields['name'] : null;
  return {
    kind: 'record',
    key: id,
    hash,
    record: { vaultId: id, vaultType, name, document, contentHash: hash },
  };
}

function commit(store: Store, began: number, items: readonly ListItem<Vault>[], listIsComplete = true) {
  return commitVaults(store.database, store.lease, store.run, {
    items,
    observation: { beganAt: epoch + began, arrivedAt: epoch + began + 1 },
    listIsComplete,
    tally: noRequests,
  });
}

const revisions = (store: Store) =>
  store.query('select document_id, revision, change, document from custody.document_revisions order by 1, 2');

test('every state of a vault is a revision', async () => {
  const store = await openStore();
  expect(await commit(store, 0, [vault('a', { name: 'A' }), vault('b')])).toEqual({ ...none, added: 2 });
  expect(await commit(store, 10, [vault('a', { name: 'A2' }), vault('b')])).toEqual({ ...none, changed: 1 });
  expect(await commit(store, 20, [vault('b')])).toEqual({ ...none, removed: 1 });
  expect(await commit(store, 30, [vault('b')])).toEqual(none);
  expect(await commit(store, 40, [vault('a', { name: 'A2' }), vault('b')])).toEqual({ ...none, restored: 1 });
  expect(await revisions(store)).toEqual([
    { document_id: 'a', revision: 1, change: 'added', document: { vault_id: 'a', name: 'A' } },
    { document_id: 'a', revision: 2, change: 'changed', document: { vault_id: 'a', name: 'A2' } },
    { document_id: 'a', revision: 3, change: 'removed', document: { vault_id: 'a', name: 'A2' } },
    { document_id: 'a', revision: 4, change: 'restored', document: { vault_id: 'a', name: 'A2' } },
    { document_id: 'b', revision: 1, change: 'added', document: { vault_id: 'b' } },
  ]);
  expect(
    await store.query(
      'select vault_id, name, vault_type, missing_since, first_seen_at, changed_at from custody.vaults order by 1',
    ),
  ).toEqual([
    {
      vault_id: 'a',
      name: 'A2',
      vault_type: 'warm',
      missing_since: null,
      first_seen_at: new Date(epoch + 1),
      changed_at: new Date(epoch + 41),
    },
    {
      vault_id: 'b',
      name: null,
      vault_type: 'warm',
      missing_since: null,
      first_seen_at: new Date(epoch + 1),
      changed_at: new Date(epoch + 1),
    },
  ]);
});

test('a vault that another filter lists has changed, though its body says nothing of it', async () => {
  const store = await openStore();
  await commit(store, 0, [vault('a')]);
  expect(await commit(store, 10, [vault('a', {}, 'cold')])).toEqual({ ...none, changed: 1 });
});

test('a record with the digest it had is the same, whatever its timestamp; another digest has a revision', async () => {
  const store = await openStore();
  const first = vault('a', { n: 1000 });
  await commit(store, 0, [first]);
  const { key, hash } = first;
  const document = '{"timestamp": 2, "n": 1e3, "vault_id": "a"}';
  const record = { vaultId: 'a', vaultType: 'warm', name: null, document, contentHash: hash };
  expect(await commit(store, 10, [{ kind: 'record', key, hash, record }])).toEqual(none);
  const other = { ...record, contentHash: 'other' };
  expect(await commit(store, 20, [{ kind: 'record', key, hash: 'other', record: other }])).toEqual({
    ...none,
    changed: 1,
  });
});

test('nothing is taken for gone from a list that is partial, older than the row, or not all readable', async () => {
  const store = await openStore();
  await commit(store, 10, [vault('a'), vault('b')]);
  expect(await commit(store, 20, [vault('b')], false)).toEqual(none);
  expect(await commit(store, 9, [vault('b')])).toEqual({ ...none, stale: 2 });
  expect(await commit(store, 20, [vault('b'), undecodable('digest')])).toEqual({ ...none, quarantined: 1 });
  expect(await commit(store, 30, [undecodable('b')])).toEqual({ ...none, removed: 1, quarantined: 1 });
  expect(
    await store.query('select vault_id, missing_since is null as there from custody.vaults order by 1'),
  ).toEqual([
    { vault_id: 'a', there: false },
    { vault_id: 'b', there: true },
  ]);
  expect(await store.query('select record_key from sync.quarantine where resolved_at is null')).toEqual([
    { record_key: 'b' },
  ]);
});

test('a list that was asked for before the last whole reading bounds nothing, and is not kept as a reading', async () => {
  const store = await openStore();
  await commit(store, 0, [vault('a')]);
  await commit(store, 20, [vault('a')]);
  expect(await commit(store, 10, [vault('a'), vault('b')])).toEqual({ ...none, added: 1 });
  expect(
    await store.query(
      "select observed_after, observed_at from custody.document_revisions where document_id = 'b'",
    ),
  ).toEqual([{ observed_after: null, observed_at: new Date(epoch + 11) }]);
  expect(await store.query('select last_read_after from custody.document_readings')).toEqual([
    { last_read_after: new Date(epoch + 20) },
  ]);
});

test('a document that was altered in the database is reported, and is not what was removed', async () => {
  const store = await openStore();
  await commit(store, 0, [vault('a', { name: 'Treasury' }), vault('b'), vault('c', { n: 1.5 })]);
  await store.query(
    `update custody.vaults set name = 'forged', document = '{"forged": true}' where vault_id in ('a', 'b')`,
  );
  const others = [vault('b', { n: 1 })];
  expect(await commit(store, 10, others)).toEqual({ ...none, changed: 1, removed: 2 });
  expect(
    await store.query(`select document_id, name, document from custody.document_revisions
      where change = 'removed' order by document_id`),
  ).toEqual([
    { document_id: 'a', name: 'Treasury', document: { vault_id: 'a', name: 'Treasury' } },
    { document_id: 'c', name: null, document: { vault_id: 'c', n: 1.5 } },
  ]);
  expect(
    await store.query(`select resource, resource_id, details->'found'->>'name' as name from sync.anomalies
      where kind = 'altered' order by resource_id`),
  ).toEqual([
    { resource: 'vaults', resource_id: 'a', name: 'forged' },
    { resource: 'vaults', resource_id: 'b', name: 'forged' },
  ]);
});
