// Counts and identifiers of mirrored records, which a job reads before it requests the service.
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { balances } from '../../../drizzle/balances.ts';
import { vaults, whitelistEntries } from '../../../drizzle/documents.ts';
import type { BalanceVaultType } from '../../domain/balance.ts';
import type { KnownVault, VaultType } from '../../domain/document.ts';
import { type Database, readOne } from '../postgres/database.ts';

/** Number of balances in the last snapshot of the vault type. */
export function countBalances(
  database: Database,
  account: string,
  vaultType: BalanceVaultType,
): Promise<number> {
  const { accountId, validTo } = balances;
  const current = and(eq(accountId, account), eq(balances.vaultType, vaultType), isNull(validTo));
  return count(database, 'balances.count', balances, current);
}

/** Number of mirrored vaults of the type that are not marked as missing. */
export function countVaults(database: Database, account: string, vaultType: VaultType): Promise<number> {
  const { accountId, missingSince } = vaults;
  const present = and(eq(accountId, account), eq(vaults.vaultType, vaultType), isNull(missingSince));
  return count(database, 'vaults.count', vaults, present);
}

/** The vaults that are not marked as missing. */
export async function readPresentVaults(database: Database, account: string): Promise<KnownVault[]> {
  const { accountId, vaultId, vaultType, name, document, missingSince } = vaults;
  return await readOne(database, 'vaults.present', (db) =>
    db
      .select({ vaultId, vaultType, name, document: sql<string>`${document}::text` })
      .from(vaults)
      .where(and(eq(accountId, account), isNull(missingSince))),
  );
}

/** Identifiers of the whitelist entries that are not marked as missing. */
export async function presentEntryIds(database: Database, account: string): Promise<string[]> {
  const { accountId, entryId, missingSince } = whitelistEntries;
  const rows = await readOne(database, 'whitelist.present', (db) =>
    db
      .select({ id: entryId })
      .from(whitelistEntries)
      .where(and(eq(accountId, account), isNull(missingSince))),
  );
  return rows.map((row) => row.id);
}

async function count(
  database: Database,
  label: string,
  table: PgTable,
  condition: SQL | undefined,
): Promise<number> {
  return await readOne(database, label, (db) => db.$count(table, condition));
}
