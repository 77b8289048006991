// What docs/custody-service.md says of every server of the interface, as cases that run against the sandbox
// and against the mirror. Where the document leaves something open, such as the order of a list, both answers
// pass.
import { expect } from 'vitest';
import type { TransactionRecord } from '../../packages/sandbox/src/world/records.ts';
import { statuses, transactionTypes } from '../../packages/sandbox/src/world/records.ts';
import type { World } from '../../packages/sandbox/src/world/world.ts';
import { type Answer, errorOf, idsOf } from './served-sandbox.ts';
import { transactionCells } from './transaction-columns.ts';

/**
 * A server, and the world whose account it shows: 600 transactions, 40 whitelist entries, 3 warm and 2 cold
 * vaults.
 */
export interface Subject {
  readonly world: World;
  get(path: string): Promise<Answer>;
}

/** The world of the cases. */
export const subjectOptions = {
  seed: 11,
  transactions: 600,
  whitelistEntries: 40,
  warmVaults: 3,
  coldVaults: 2,
} as const;

interface Case {
  readonly of: string;
  check(subject: Subject): Promise<void>;
}

export const interfaceCases: readonly Case[] = [
  { of: 'transactions have the shape of section 2, exactly as the world has them', check: shapes },
  { of: 'limit and offset page through transactions, 200 at a time by default', check: pages },
  { of: 'a limit or an offset that is no such number is ERR-00', check: badWindows },
  { of: 'every filter of section 4.1 selects exactly what a plain filter selects', check: filters },
  { of: 'dates are read, and what is no range is TXN-03', check: dates },
  { of: 'values outside the enumerations, repeated parameters and what matches nothing', check: refusals },
  { of: 'one transaction by its id, under both spellings of the path', check: one },
  { of: 'balances: all, warm and cold, paged and filtered by asset', check: balances },
  { of: 'vaults and whitelist: lists, filters, one vault, and their codes', check: documents },
  { of: 'an error body has the six text fields of section 7', check: errorBody },
  { of: 'what is no operation is 404', check: unknownPaths },
];

async function shapes({ world, get }: Subject): Promise<void> {
  const answer = await get('/transactions?limit=600');
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(Object.keys(answer.json)).toEqual(['transactions']);
  const byId = new Map(answer.json.transactions.map((record) => [record.transaction_id, record]));
  expect(byId.size).toBe(600);
  for (const record of world.transactions())
    expect(byId.get(record.transactionId)).toEqual(wireTransaction(record, expect.any(String)));
  expect(answer.json.transactions[0]?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
}

/** The record of section 2.2. */
function wireTransaction(record: TransactionRecord, timestamp: string): object {
  const { transaction_id, status, ...details } = transactionCells(record);
  const cells = Object.entries(details);
  const party = (side: string) =>
    Object.fromEntries(
      cells
        .filter(([name]) => name.startsWith(`${side}_`))
        .map(([name, value]) => [name === 'destination_memo' ? 'memo' : name, value]),
    );
  const others = Object.fromEntries(cells.filter(([name]) => !/^(source|destination)_/.test(name)));
  const transaction = { ...others, source: party('source'), destination: party('destination') };
  return { transaction_id, timestamp, transaction, status };
}

async function pages({ world, get }: Subject): Promise<void> {
  const all = idsOf(await get('/transactions?limit=1000'));
  const truth = [...world.transactions()].map((record) => record.transactionId);
  expect(all.toSorted()).toEqual(truth.toSorted());
  expect(idsOf(await get('/transactions'))).toEqual(all.slice(0, 200));
  expect(idsOf(await get('/transactions?offset=580'))).toEqual(all.slice(580));
  expect(idsOf(await get('/transactions?limit=7&offset=3'))).toEqual(all.slice(3, 10));
  expect(errorOf(await get('/transactions?offset=600'))).toBe('400 TXN-02');
}

async function badWindows({ get }: Subject): Promise<void> {
  for (const value of ['0', '-1', 'ten', '1.5', '', '1e3', ' 5', '0x10', '%00', 'NaN']) {
    const text = value === '%00' ? value : encodeURIComponent(value);
    for (const list of ['/transactions', '/balances']) {
      expect(errorOf(await get(`${list}?limit=${text}`)), `limit=${value}`).toBe('400 ERR-00');
      if (value === '0') continue;
      expect(errorOf(await get(`${list}?offset=${text}`)), `offset=${value}`).toBe('400 ERR-00');
    }
  }
}

async function filters({ world, get }: Subject): Promise<void> {
  const truth = [...world.transactions()];
  const order = idsOf(await get('/transactions?limit=1000'));
  const check = async (query: Readonly<Record<string, string>>, holds: (r: TransactionRecord) => boolean) => {
    const expected = new Set(truth.filter(holds).map((record) => record.transactionId));
    expect(expected.size).toBeGreaterThan(0);
    const answer = await get(`/transactions?${new URLSearchParams({ ...query, limit: '1000' })}`);
    expect(idsOf(answer), JSON.stringify(query)).toEqual(order.filter((id) => expected.has(id)));
  };
  const sample = truth.find((record) => record.transactionType === 'withdraw');
  if (sample === undefined) throw new Error('no withdrawal');
  const fields = {
    transaction_id: 'transactionId',
    source_id: 'sourceId',
    source_address: 'sourceAddress',
    asset_id: 'assetId',
    network_id: 'networkId',
    destination_id: 'destinationId',
    destination_address: 'destinationAddress',
  } as const;
  for (const [name, field] of Object.entries(fields) as [string, keyof TransactionRecord & string][])
    await check({ [name]: String(sample[field]) }, (record) => record[field] === sample[field]);
  for (const type of transactionTypes)
    await check({ transaction_type: type }, (record) => record.transactionType === type);
  for (const status of statuses) await check({ status }, (record) => record.status === status);
  await check(
    { asset_id: sample.assetId, status: 'completed' },
    (record) => record.assetId === sample.assetId && record.status === 'completed',
  );
}

async function dates({ get }: Subject): Promise<void> {
  expect(errorOf(await get('/transactions?start_date=2026-02-01&end_date=2026-01-01'))).toBe('400 TXN-03');
  for (const bad of ['yesterday', '2026-02-31', '2026-13-01', '12/31/2025', '']) {
    expect(errorOf(await get(`/transactions?start_date=${bad}`))).toBe('400 TXN-03');
    expect(errorOf(await get(`/transactions?end_date=${bad}`))).toBe('400 TXN-03');
  }
  expect(errorOf(await get('/transactions?end_date=1999-01-01'))).toBe('400 TXN-02');
  expect(errorOf(await get('/transactions?start_date=2999-01-01T00:00:00Z'))).toBe('400 TXN-02');
}

async function refusals({ get }: Subject): Promise<void> {
  expect(errorOf(await get('/transactions?transaction_type=loan'))).toBe('400 TXN-00');
  expect(errorOf(await get('/transactions?transaction_type='))).toBe('400 TXN-00');
  expect(errorOf(await get('/transactions?status=done'))).toBe('400 TXN-01');
  expect(errorOf(await get('/transactions?status='))).toBe('400 TXN-01');
  expect(errorOf(await get('/transactions?asset_id=NONE'))).toBe('400 TXN-02');
  expect(errorOf(await get('/transactions?status=failed&status=failed'))).toBe('400 ERR-00');
  // The document spells it both ways; an unknown parameter may be ignored or refused.
  expect(['200 undefined', '400 TXN-00']).toContain(
    errorOf(await get('/transactions?transaction_type=changepool')),
  );
  expect(['200 undefined', '400 ERR-00']).toContain(errorOf(await get('/transactions?surprise=1')));
}

async function one({ world, get }: Subject): Promise<void> {
  const [record] = [...world.transactions()];
  const id = record?.transactionId ?? '';
  expect(idsOf(await get(`/transactions/${id}`))).toEqual([id]);
  expect(idsOf(await get(`/transaction/${id}`))).toEqual([id]);
  for (const wrong of ['nothing', `${id}0`, id.replace(/.$/, 'x'), '%00', '%F0%9F%94%91', '%2F..%2F'])
    expect(errorOf(await get(`/transactions/${wrong}`)), wrong).toBe('400 TXN-04');
  expect(errorOf(await get('/transactions/%E0%A4%A'))).toBe('400 ERR-00');
}

async function balances({ world, get }: Subject): Promise<void> {
  for (const [path, type] of [
    ['/balances', 'all'],
    ['/balances/warm', 'warm'],
    ['/balances/cold', 'cold'],
  ] as const) {
    const { json } = await get(path);
    expect(json.balance_type).toBe(type);
    expect(json.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const expected = world.balances(type).map((balance) => ({
      asset_id: balance.assetId,
      asset_name: balance.assetName,
      network_id: balance.networkId,
      network_name: balance.networkName,
      balances: {
        total_balance: balance.total,
        available_balance: balance.available,
        processing_balance: balance.processing,
        staking_balance: balance.staking,
        claimable_balance: balance.claimable,
      },
    }));
    expect(json.balance).toHaveLength(expected.length);
    expect(json.balance).toEqual(expect.arrayContaining(expected));
    expect((await get(`${path}?asset_id=ETH`)).json.balance.map((balance) => balance.asset_id)).toEqual([
      'ETH',
    ]);
  }
  const ids = (await get('/balances')).json.balance.map((balance) => balance.asset_id);
  const paged = (await get('/balances?limit=5&offset=3')).json.balance.map((balance) => balance.asset_id);
  expect(paged).toEqual(ids.slice(3, 8));
  expect(errorOf(await get('/balances?offset=1000'))).toBe('400 BAL-00');
  expect(errorOf(await get('/balances?asset_id=NONE'))).toBe('400 BAL-00');
  expect(errorOf(await get('/balances/warm?asset_id=NONE'))).toBe('400 BAL-01');
  expect(errorOf(await get('/balances/hot'))).toBe('400 BAL-02');
}

async function documents({ world, get }: Subject): Promise<void> {
  const vaults = (await get('/vaults')).json.vaults;
  const idOf = (vault: Readonly<Record<string, unknown>>) => vault['vault_id'];
  expect(vaults.map(idOf).toSorted()).toEqual(
    world
      .vaults()
      .map((vault) => vault.vaultId)
      .toSorted(),
  );
  expect((await get('/vaults?vault_type=warm')).json.vaults).toHaveLength(3);
  expect((await get('/vaults?vault_type=cold')).json.vaults).toHaveLength(2);
  expect(errorOf(await get('/vaults?vault_type=hot'))).toBe('400 VAL-00');
  expect((await get(`/vaults/${vaults[0]?.['vault_id']}`)).json).toEqual(vaults[0]);
  expect(errorOf(await get('/vaults/none'))).toBe('400 VAL-02');
  expect((await get('/whitelist')).json.whitelist).toHaveLength(40);
  const approved = (await get('/whitelist?asset_id=ETH&status=approved')).json.whitelist;
  expect(approved.length).toBeGreaterThan(0);
  expect(approved.every((entry) => entry['asset_id'] === 'ETH')).toBe(true);
  expect(errorOf(await get('/whitelist?status=maybe'))).toBe('400 WHT-01');
  expect(errorOf(await get('/whitelist?asset_id=NONE'))).toBe('400 WHT-00');
}

async function errorBody({ get }: Subject): Promise<void> {
  const wanted = {
    status: 'error',
    error_code: 'TXN-01',
    error_message: 'Invalid status',
    details: 'Must be one of pending, processing, confirming, completed, rejected, cancelled, failed',
    help: '',
    code: '400',
  };
  expect((await get('/transactions?status=x')).json).toEqual(wanted);
}

async function unknownPaths({ get }: Subject): Promise<void> {
  for (const path of ['/vault', '/transactions/', '/transactions/a/b', '/transactionsX', '/balances/'])
    expect((await get(path)).status, path).toBe(404);
}
