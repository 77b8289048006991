// What the mirror must hold, told from the sandbox's world and its quirks alone, and what it does hold, as
// plain rows with every amount as text: a test compares the two, field by field.

import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Sandbox } from '../../packages/sandbox/src/sandbox.ts';
import type {
  BalanceRecord,
  TransactionRecord,
  VaultType,
} from '../../packages/sandbox/src/world/records.ts';
import type { TestDatabase } from './database.ts';
import { differences, none } from './differences.ts';
import { transactionCells, transactionColumns } from './transaction-columns.ts';
import { waitFor } from './wait-for.ts';

type Table = 'transactions' | 'balances' | 'vaults' | 'whitelist';
type Rows = Readonly<Record<string, unknown>>[];

/** Everything that is mirrored of an account, by table, each row by its own id. */
export async function mirrored(
  database: Pick<TestDatabase, 'query'>,
  account = 'default',
): Promise<Record<Table, Rows>> {
  const [transactions, balances, vaults, whitelist] = await Promise.all([
    database.query(
      `
      select ${transactionColumns} from custody.transactions where account_id = $1 and missing_since is null
      order by transaction_id collate "C"`,
      [account],
    ),
    database.query(
      `
      select vault_type, asset_id, network_id, asset_name, network_name, total_balance::text,
        available_balance::text, processing_balance::text, staking_balance::text, claimable_balance::text
      from custody.balances where account_id = $1 and valid_to is null
      order by vault_type, asset_id collate "C", network_id collate "C"`,
      [account],
    ),
    database.query(
      `
      select vault_id, vault_type, name, document ->> 'description' as description,
        document ->> 'created_at' as created_at, document -> 'addresses' as addresses
      from custody.vaults where account_id = $1 and missing_since is null order by vault_id collate "C"`,
      [account],
    ),
    database.query(
      `
      select entry_id, name, address, asset_id, network_id, document ->> 'memo' as memo,
        document ->> 'status' as status, document ->> 'created_at' as created_at
      from custody.whitelist_entries where account_id = $1 and missing_since is null
      order by entry_id collate "C"`,
      [account],
    ),
  ]);
  return { transactions, balances, vaults, whitelist };
}

/** The same, as the world has it. Records for which a quirk makes decoding impossible are left out. */
export function truth({ world, quirks }: Sandbox): Record<Table, Rows> {
  const readable = (id: string) =>
    !quirks.of(id).some((quirk) => ['nan-amount', 'missing-id', 'string-record'].includes(quirk));
  return {
    transactions: [...world.transactions()]
      .filter((record) => readable(record.transactionId))
      .map((record) => transactionRow(record, (quirk) => quirks.has(quirk, record.transactionId)))
      .sort(by('transaction_id')),
    balances: (['all', 'cold', 'warm'] as const).flatMap((vaultType) =>
      world
        .balances(vaultType)
        .filter((record) => readable(record.assetId))
        .map((record) => balanceRow(vaultType, record))
        .sort(by('asset_id')),
    ),
    vaults: world
      .vaults()
      .filter((vault) => readable(vault.vaultId))
      .map((vault) => ({
        vault_id: vault.vaultId,
        vault_type: vault.vaultType,
        name: vault.name,
        description: vault.description,
        created_at: new Date(vault.createdAt).toISOString(),
        addresses: vault.addresses.map(({ networkId, address }) => ({ network_id: networkId, address })),
      }))
      .sort(by('vault_id')),
    whitelist: world
      .whitelist()
      .filter((entry) => readable(entry.whitelistId))
      .map((entry) => ({
        entry_id: entry.whitelistId,
        name: entry.name,
        address: entry.address,
        asset_id: entry.assetId,
        network_id: entry.networkId,
        memo: entry.memo,
        status: entry.status,
        created_at: new Date(entry.createdAt).toISOString(),
      }))
      .sort(by('entry_id')),
  };
}

/** Holds the mirror against the world. Of tables that differ a failure says the rows and columns that do. */
export async function expectTruth(database: Pick<TestDatabase, 'query'>, sandbox: Sandbox): Promise<void> {
  const [found, wanted] = [await mirrored(database), truth(sandbox)];
  for (const table of ['transactions', 'balances', 'vaults', 'whitelist'] as const)
    expect(differences(found[table], wanted[table]), table).toEqual(none);
}

/** Waits until the mirror equals the world, and fails as `expectTruth` does. */
export async function untilTruth(database: Pick<TestDatabase, 'query'>, sandbox: Sandbox): Promise<void> {
  const isTrue = async () => isDeepStrictEqual(await mirrored(database), truth(sandbox));
  await waitFor(isTrue, { what: 'the truth' }).catch(async (error: unknown) => {
    await expectTruth(database, sandbox);
    throw error;
  });
}

/** What is mirrored of the transactions alone, by id. */
export async function mirroredTransactions(
  database: Pick<TestDatabase, 'query'>,
  account?: string,
): Promise<Map<unknown, Rows[number]>> {
  return byId((await mirrored(database, account)).transactions);
}

/** The same, as the world has it. */
export function trueTransactions(sandbox: Sandbox): Map<unknown, Rows[number]> {
  return byId(truth(sandbox).transactions);
}

function byId(rows: Rows): Map<unknown, Rows[number]> {
  return new Map(rows.map((row) => [row['transaction_id'], row]));
}

type HasQuirk = (quirk: Parameters<Sandbox['quirks']['has']>[0]) => boolean;

function transactionRow(record: TransactionRecord, has: HasQuirk): Record<string, unknown> {
  return {
    ...transactionCells(record),
    ...(has('unknown-status') && { status: 'settling' }),
    ...(has('unknown-type') && { transaction_type: 'airdrop' }),
    amount: amount(record.amount),
    fee: amount(record.fee),
    // What PostgreSQL cannot store is shown by its escape.
    note:
      record.note +
      (has('nul-note') ? 'nul\\u0000here' : '') +
      (has('surrogate-note') ? 'lone\\ud83dhere' : ''),
  };
}

function balanceRow(vaultType: VaultType | 'all', record: BalanceRecord): Record<string, unknown> {
  return {
    vault_type: vaultType,
    asset_id: record.assetId,
    network_id: record.networkId,
    asset_name: record.assetName,
    network_name: record.networkName,
    total_balance: amount(record.total),
    available_balance: amount(record.available),
    processing_balance: amount(record.processing),
    staking_balance: amount(record.staking),
    claimable_balance: amount(record.claimable),
  };
}

/** An amount that is not known yet is empty on the wire and null in the mirror. */
function amount(text: string): string | null {
  return text === '' ? null : text;
}

function by(name: string) {
  return (a: Record<string, unknown>, b: Record<string, unknown>) =>
    Buffer.compare(Buffer.from(String(a[name])), Buffer.from(String(b[name])));
}

/**
 * Where every row of schema custody lies and which transaction wrote it: equal before and after means that
 * nothing was written. Snapshots and the times of readings are left out, for they tell that something was
 * observed.
 */
export async function whereRowsLie(database: TestDatabase): Promise<Record<string, unknown>[]> {
  const tables = await database.query<{ name: string }>(`
    select format('custody.%I', tablename) as name from pg_tables
    where schemaname = 'custody' and tablename not in ('balance_snapshots', 'document_readings') order by 1`);
  return await database.query(
    `${tables.map(({ name }) => `select '${name}' as relation, ctid::text, xmin::text from ${name}`).join(' union all ')}
     order by 1, 2`,
  );
}
