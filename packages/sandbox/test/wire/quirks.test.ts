import { expect, test } from 'vitest';
import type { Answer } from '../../../../test/support/served-sandbox.ts';
import { serve } from '../../../../test/support/served-sandbox.ts';
import type { Quirk, QuirkSettings } from '../../src/wire/quirks.ts';
import { createQuirks, parseQuirks, quirkNames } from '../../src/wire/quirks.ts';

async function withQuirks(quirks: QuirkSettings, path = '/transactions?limit=1000'): Promise<Answer> {
  const { get } = await serve({ seed: 4, transactions: 400, quirks });
  return get(path);
}

test('id, vault_id, stakepool and changepool replace the documented spellings everywhere', async () => {
  const { json, text } = await withQuirks({ id: true, 'vault-id': true, stakepool: true, changepool: true });
  expect(json.transactions.every((record) => record.id !== undefined && !('transaction_id' in record))).toBe(
    true,
  );
  const { source } = json.transactions[0]?.transaction ?? { source: {} };
  expect(Object.keys(source)).toEqual(['source_type', 'vault_id', 'source_name', 'source_address']);
  expect(text).toContain('"destination_type":"stakepool"');
  expect(text).not.toContain('"stake pool"');
  expect(text).toContain('"transaction_type":"changepool"');
  expect(text).not.toContain('"change pool"');
});

test('with changepool switched on the filter takes both spellings', async () => {
  const { get } = await serve({ transactions: 400, quirks: { changepool: true } });
  const one = await get('/transactions?transaction_type=changepool');
  const other = await get('/transactions?transaction_type=change%20pool');
  expect(one.status).toBe(200);
  expect(one.json.transactions.length).toBe(other.json.transactions.length);
});

test('balances come as an array of one object', async () => {
  const { json } = await withQuirks({ 'balances-array': true }, '/balances');
  expect(json.balance.every(({ balances }) => Array.isArray(balances) && balances.length === 1)).toBe(true);
});

test('amounts come as numbers with all their digits, and balances too', async () => {
  const { sandbox, get } = await serve({ transactions: 0, quirks: { 'numeric-amounts': true } });
  sandbox.world.insertTransaction('head', {
    amount: '12345678901234567890.123456789012345678',
    status: 'completed',
  });
  expect((await get('/transactions')).text).toContain('"amount":12345678901234567890.123456789012345678,');
  const { text } = await get('/balances');
  expect(text).toMatch(/"total_balance":12345678901234567890\.123456789012345678,/);
  sandbox.world.insertTransaction('head', { amount: '007' });
  expect((await get('/transactions')).text).toContain('"amount":"007"');
});

test('unknown fields have names that no service uses', async () => {
  const names = (text: string) => new Set([...text.matchAll(/"(\w+)":/g)].map(([, name = '']) => name));
  for (const path of ['/transactions?limit=5', '/balances', '/vaults', '/whitelist']) {
    const known = names((await withQuirks({}, path)).text);
    const added = [...names((await withQuirks({ 'unknown-fields': true }, path)).text)].filter(
      (name) => !known.has(name) && !['by', 'at', 'score'].includes(name),
    );
    expect(added.length, path).toBeGreaterThan(0);
    for (const name of added) expect(name).toMatch(/^x_sandbox_/);
  }
});

test('unknown fields, statuses and types, hard notes', async () => {
  const unknown = await withQuirks({ 'unknown-fields': true, 'unknown-status': true, 'unknown-type': true });
  expect(unknown.text).toContain('"x_sandbox_total":98765432109876543210.000000000000000001');
  expect(unknown.json.transactions[0]).toMatchObject({
    status: 'settling',
    transaction: { transaction_type: 'airdrop' },
  });
  const notes = await withQuirks({ 'nul-note': true, 'surrogate-note': true });
  expect(notes.text).toContain('nul\\u0000here');
  expect(notes.text).toContain('lone\\ud83dhere');
});

test('undecodable records: amounts that are none, no id, a text in place of a record', async () => {
  expect((await withQuirks({ 'nan-amount': true })).text).toContain('"amount":"NaN"');
  expect((await withQuirks({ 'missing-id': true })).json.transactions[0]).not.toHaveProperty(
    'transaction_id',
  );
  expect(typeof (await withQuirks({ 'string-record': true })).json.transactions[0]).toBe('string');
  expect((await withQuirks({ 'nan-amount': true }, '/balances')).text).toContain('"available_balance":"NaN"');
  expect((await withQuirks({ 'missing-id': true }, '/vaults')).json.vaults[0]).not.toHaveProperty('vault_id');
});

test('mixed touches some records, the same ones at every read, and names can be given', async () => {
  const { sandbox, get } = await serve({ transactions: 400, quirks: { id: true, mixed: true } });
  const first = (await get('/transactions?limit=400')).json.transactions;
  const touched = first.filter((record) => record.id !== undefined);
  expect(touched.length).toBeGreaterThan(120);
  expect(touched.length).toBeLessThan(280);
  for (const record of touched.slice(0, 5)) expect(sandbox.quirks.of(record.id ?? '')).toEqual(['id']);
  const second = (await get('/transactions?limit=400')).json.transactions;
  expect(second.map((record) => record.id)).toEqual(first.map((record) => record.id));

  const quirks = createQuirks({ stakepool: ['a'], id: 0 }, 1);
  expect([quirks.of('a'), quirks.of('b')]).toEqual([['stakepool'], []]);
});

test('each quirk alone leaves the others out', () => {
  for (const quirk of quirkNames) {
    const settings: { [name in Quirk]?: boolean } = {};
    settings[quirk] = true;
    expect(createQuirks(settings, 1).of('x')).toEqual([quirk]);
  }
});

test('switches are read from text, and a bad item is named', () => {
  expect(parseQuirks('id, stakepool=0.3,mixed,nan-amount=a+b,changepool=mixed')).toEqual({
    id: true,
    stakepool: 0.3,
    mixed: true,
    'nan-amount': ['a', 'b'],
    changepool: 'mixed',
  });
  expect(() => parseQuirks('id,stakepol')).toThrow(/unknown quirk "stakepol".*stakepool/);
  expect(() => parseQuirks('id=2')).toThrow(/"id=2"/);
});
