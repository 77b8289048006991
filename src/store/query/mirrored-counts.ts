// How much is mirrored, as a job wants to know it before it asks the service.
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { balances } from '../../../drizzle/balances.ts';
import { vaults, whitelistEntries } from '../../../drizzle/documents.ts';
import type { BalanceVaultType } from '../../domain/balance.ts';
import type { VaultType } from '../../domain/document.ts';
import type { Database } from '../postgres/database.ts';

/** Balances in the latest snapshot of the vault type. */
export function countBalances(
  database: Database,
  account: string,
  vaultType: BalanceVaultType,
): Promise<number> {
  const { accountId, validTo } = balances;
  const current = and(eq(accountId, account), eq(balances.vaultType, vaultType), isNull(validTo));
  return count(database, 'balances', balances, current);
}

/** Vaults of the type that the service is held to show. */
export function countVaults(database: Database, account: string, vaultType: VaultType): Promise<number> {
  const { accountId, missingSince } = vaults;
  const present = and(eq(accountId, account), eq(vaults.vaultType, vaultType), isNull(missingSince));
  return count(database, 'vaults', vaults, present);
}

/** Whitelist entries that the service is held to show. */
export function countWhitelist(database: Database, account: string): Promise<number> {
  const { accountId, missingSince } = whitelistEntries;
  return count(database, 'whitelist', whitelistEntries, and(eq(accountId, account), isNull(missingSince)));
}

/** Identifiers of the vaults that the service is held to show. */
export function presentVaultIds(database: Database, account: string): Promise<string[]> {
  const { accountId, vaultId, missingSince } = vaults;
  return presentIds(database, 'vaults', vaults, vaultId, and(eq(accountId, account), isNull(missingSince)));
}

/** A vault as it is mirrored. */
export interface PresentVault {
  readonly vaultId: string;
  readonly vaultType: string | null;
  readonly name: string | null;
  /** JSON text. */
  readonly document: string;
}

/** The vaults that the service is held to show. */
export async function readPresentVaults(database: Database, account: string): Promise<PresentVault[]> {
  const { accountId, vaultId, vaultType, name, document, missingSince } = vaults;
  return await database.transact('present-vaults', (tx) =>
    tx.run('vaults.present', (db) =>
      db
        .select({ vaultId, vaultType, name, document: sql<string>`${document}::text` })
        .from(vaults)
        .where(and(eq(accountId, account), isNull(missingSince))),
    ),
  );
}

/** Identifiers of the whitelist entries that the service is held to show. */
export function presentEntryIds(database: Database, account: string): Promise<string[]> {
  const { accountId, entryId, missingSince } = whitelistEntries;
  const present = and(eq(accountId, account), isNull(missingSince));
  return presentIds(database, 'whitelist', whitelistEntries, entryId, present);
}

async function presentIds(
  database: Database,
  what: string,
  table: PgTable,
  id: PgColumn,
  condition: SQL | undefined,
): Promise<string[]> {
  const rows = await database.transact(`present-${what}`, (tx) =>
    tx.run(`${what}.present`, (db) =>
      db
        .select({ id: sql<string>`${id}` })
        .from(table)
        .where(condition),
    ),
  );
  return rows.map((row) => row.id);
}

async function count(
  database: Database,
  what: string,
  table: PgTable,
  condition: SQL | undefined,
): Promise<number> {
  return await database.transact(`count-${what}`, (tx) =>
    tx.run(`${what}.count`, (db) => db.$count(table, condition)),
  );
}
