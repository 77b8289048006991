// The vaults and whitelist entries that /custody shows: the documents as they came, without those that the
// service no longer shows.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { vaults, whitelistEntries } from '../../../../drizzle/documents.ts';
import type { VaultType } from '../../../domain/document.ts';
import { type Database, readOne } from '../../postgres/database.ts';
import { bounded } from '../list/columns.ts';

export interface DocumentWindow {
  /** Null for all. */
  readonly limit: number | null;
  readonly offset: number;
}

/** The texts of the documents, by vault_id. */
export async function readVaultPage(
  database: Database,
  account: string,
  { vaultType, limit, offset }: DocumentWindow & { readonly vaultType?: VaultType },
): Promise<readonly string[]> {
  const found = await readOne(database, 'custody-vaults.page', (db) =>
    db.execute<DocumentRow>(sql`
      select ${bounded('json', vaults.document)}::text as document from ${vaults}
      where ${and(
        eq(vaults.accountId, account),
        isNull(vaults.missingSince),
        ...(vaultType === undefined ? [] : [sql`lower(${vaults.vaultType}) = ${vaultType}`]),
      )}
      order by ${vaults.vaultId} limit ${limit} offset ${offset}`),
  );
  return found.rows.map((row) => row.document);
}

/** The text of one document; null when there is none. */
export async function readVaultDocument(
  database: Database,
  account: string,
  vaultId: string,
): Promise<string | null> {
  const rows = await readOne(database, 'custody-vaults.one', (db) =>
    db
      .select({ document: sql<string>`${bounded('json', vaults.document)}::text` })
      .from(vaults)
      .where(and(eq(vaults.accountId, account), eq(vaults.vaultId, vaultId), isNull(vaults.missingSince))),
  );
  return rows[0]?.document ?? null;
}

export interface WhitelistQuery extends DocumentWindow {
  readonly assetId?: string;
  readonly networkId?: string;
  /** Compared with the member `status` of the documents, which is not documented. */
  readonly status?: string;
}

export interface WhitelistPage {
  /** The texts of the documents, by entry_id. */
  readonly documents: readonly string[];
  /** False when no entry at all has the status that was asked for. */
  readonly isStatusKnown: boolean;
}

export async function readWhitelistPage(
  database: Database,
  account: string,
  { assetId, networkId, status, limit, offset }: WhitelistQuery,
): Promise<WhitelistPage> {
  const w = whitelistEntries;
  const shown = and(eq(w.accountId, account), isNull(w.missingSince));
  const hasStatus = sql`${w.document} ->> 'status' = ${status ?? null}`;
  return await database.transact(
    'custody-whitelist',
    async (tx) => {
      const found = await tx.run('custody-whitelist.page', (db) =>
        db.execute<DocumentRow>(sql`
          select ${bounded('json', w.document)}::text as document from ${w}
          where ${and(
            shown,
            ...(assetId === undefined ? [] : [eq(w.assetId, assetId)]),
            ...(networkId === undefined ? [] : [eq(w.networkId, networkId)]),
            ...(status === undefined ? [] : [hasStatus]),
          )}
          order by ${w.entryId} limit ${limit} offset ${offset}`),
      );
      const documents = found.rows.map((row) => row.document);
      if (documents.length > 0 || status === undefined) return { documents, isStatusKnown: true };
      const known = await tx.run('custody-whitelist.status', (db) =>
        db.execute<{ known: boolean }>(
          sql`select exists (select from ${w} where ${and(shown, hasStatus)}) as known`,
        ),
      );
      return { documents, isStatusKnown: known.rows[0]?.known ?? false };
    },
    { snapshot: true },
  );
}

interface DocumentRow extends Record<string, unknown> {
  readonly document: string;
}
