import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentRules } from '../../../src/base/config/config.ts';
import { findDocuments, findVault, kinds } from '../../../src/custody/decode/lists.ts';
import { vaultDecoder, whitelistDecoder } from '../../../src/custody/decode/records.ts';
import { decode } from './decoding.ts';

const noRules: DocumentRules = { vaultsArray: null, vaultId: null, whitelistArray: null, whitelistId: null };
const vaultsIn = (body: unknown, rules = noRules) =>
  decode(
    JSON.stringify(body),
    (value, tolerance) => findDocuments(value, kinds.vault, rules.vaultsArray, tolerance),
    vaultDecoder(rules, 'warm'),
  );
const vaultIn = (body: unknown, rules = noRules) =>
  decode(
    JSON.stringify(body),
    (value, tolerance) => findVault(value, rules, tolerance),
    vaultDecoder(rules, null),
  );
const entriesIn = (body: unknown, rules = noRules) =>
  decode(
    JSON.stringify(body),
    (value, tolerance) => findDocuments(value, kinds.entry, rules.whitelistArray, tolerance),
    whitelistDecoder(rules),
  );
const vault = { vault_id: 'v-1', name: 'Treasury' };

test.each([
  ['the list named after the resource', { count: 1, tags: [{ a: 1 }], vaults: [vault] }, {}],
  ['that list one level down', { tags: [{ a: 1 }], data: { vaults: [vault] } }, {}],
  ['a list of another name', { status: 'ok', warnings: [], items: [vault] }, { 'list-renamed': 1 }],
  ['a list of another name one level down', { result: { total: '1', rows: [vault] } }, { 'list-renamed': 1 }],
  ['a bare list', [vault], { 'list-bare': 1 }],
])('%s is found', (_, body, deviations) => {
  const found = vaultsIn(body);
  expect(found.items).toMatchObject([
    { kind: 'record', key: 'v-1', record: { vaultId: 'v-1', name: 'Treasury' } },
  ]);
  expect(found.deviations).toEqual(deviations);
});

test('an empty list is a list; a body without any is none', () => {
  expect(vaultsIn({ vaults: [] }).items).toEqual([]);
  expect(vaultsIn({ data: [] }).items).toEqual([]);
  for (const body of [{}, { vaults: {} }, { names: ['a'] }, 'text', null])
    expect(vaultsIn(body).items).toBeNull();
});

test('configuration names the list and the id', () => {
  const rules: DocumentRules = {
    vaultsArray: 'safes',
    vaultId: 'safe_no',
    whitelistArray: 'targets',
    whitelistId: 'target_no',
  };
  const body = { vaults: [{ id: 'wrong' }], safes: [{ id: 'a', safe_no: 's-1' }] };
  expect(vaultsIn(body, rules).items).toMatchObject([{ key: 's-1' }]);
  expect(vaultIn({ id: 'a', safe_no: 's-1' }, rules).items).toMatchObject([{ key: 's-1' }]);
  const targets = { whitelist: [{ id: 'wrong' }], targets: [{ id: 'a', target_no: 't-1' }] };
  expect(entriesIn(targets, rules).items).toMatchObject([{ key: 't-1' }]);
});

test('the vault type comes from the body, or else from the filter', () => {
  const { items } = vaultsIn({ vaults: [{ vault_id: 'a' }, { vault_id: 'b', vault_type: 'cold' }] });
  expect(items).toMatchObject([{ record: { vaultType: 'warm' } }, { record: { vaultType: 'cold' } }]);
  expect(vaultIn({ vault_id: 'a' }).items).toMatchObject([{ record: { vaultType: null } }]);
});

test.each([
  ['the body itself', { ...vault, wallets: [{ id: 'w' }] }],
  ['a member named vault', { timestamp: 'now', vault }],
  ['a list of one', { vaults: [vault] }],
  ['a bare list of one', [vault]],
])('one vault is found as %s', (_, body) => {
  expect(vaultIn(body).items).toMatchObject([{ kind: 'record', key: 'v-1' }]);
});

test('the whole record is kept, with its digest', () => {
  const { items } = vaultsIn({ vaults: [{ vaults_id: 'v-1', timestamp: 'now', new: { a: ['b'] } }] });
  expect(items?.[0]).toMatchObject({
    hash: expect.stringMatching(/^[\w-]{43}$/),
    record: {
      document: '{"vaults_id":"v-1","timestamp":"now","new":{"a":["b"]}}',
    },
  });
  const later = vaultsIn({ vaults: [{ new: { a: ['b'] }, timestamp: 'later', vaults_id: 'v-1' }] });
  expect(later.items?.[0]?.hash).toBe(items?.[0]?.hash);
});

test('a vault without an id is set aside, its neighbours are read', () => {
  const { items } = vaultsIn({ vaults: [{ name: 'nameless' }, vault, 'text'] });
  expect(items?.map((item) => item.kind)).toEqual(['undecodable', 'record', 'undecodable']);
});

test('a whitelist entry is identified by its id, else by where it leads, else by its content', () => {
  const { items, deviations } = entriesIn({
    whitelist: [
      { whitelist_id: 'a', id: 'b', label: 'Exchange', address: 'bc1', asset_id: 'BTC', network_id: 'BTC' },
      { destination_id: 'c', destination_address: '0x1' },
      { address: 'bc1', asset: 'BTC' },
      { note: 'nothing to go by' },
    ],
  });
  expect(items?.slice(0, 3)).toMatchObject([
    {
      key: 'a',
      record: { entryId: 'a', name: 'Exchange', address: 'bc1', assetId: 'BTC', networkId: 'BTC' },
    },
    { key: 'c', record: { address: '0x1', assetId: null } },
    { key: 'bc1|BTC|', record: { assetId: 'BTC', networkId: null } },
  ]);
  expect(items?.[3]?.key).toBe(items?.[3]?.hash);
  expect(deviations).toEqual({ 'id-composed': 1, 'id-from-content': 1 });
});

test('any JSON at all is read without a fault', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      for (const read of [vaultsIn, vaultIn, entriesIn])
        for (const item of read(body).items ?? []) expect(item.key).not.toBe('');
    }),
  );
});
