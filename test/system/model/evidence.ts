// What the database says of an account: rows, statuses and revisions, by transaction.
import { transactionColumns } from '../../support/transaction-columns.ts';
import type { Account } from './account.ts';

export interface MirroredRow {
  /** The columns that follow from the record. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly missingSince: number | null;
}

export interface StatusRow {
  readonly sequence: number;
  readonly from: string | null;
  readonly to: string;
  /** Microseconds. */
  readonly observedAt: number;
  readonly sourceTimestamp: string | null;
}

export interface RevisionRow {
  readonly revision: number;
  readonly observedAt: number;
  readonly changedFields: readonly string[];
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

export interface HistoryEvidence {
  readonly rows: ReadonlyMap<string, MirroredRow>;
  readonly statuses: ReadonlyMap<string, readonly StatusRow[]>;
  readonly revisions: ReadonlyMap<string, readonly RevisionRow[]>;
}

const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint::text`;

export async function readMirror(account: Account): Promise<HistoryEvidence> {
  const rows = await account.query<{ transaction_id: string; missing: string | null }>(
    `select ${transactionColumns}, ${micros('missing_since')} as missing from custody.transactions where account_id = $1`,
  );
  const statuses = await account.query<
    Omit<StatusRow, 'observedAt' | 'sourceTimestamp'> & { id: string; at: string; source: Date | null }
  >(`
    select transaction_id as id, sequence, from_status as from, to_status as to, ${micros('observed_at')} as at,
      source_timestamp as source
    from custody.transaction_status_history where account_id = $1 order by transaction_id, sequence`);
  const revisions = await account.query<Omit<RevisionRow, 'observedAt'> & { id: string; at: string }>(`
    select transaction_id as id, revision, ${micros('observed_at')} as at, changed_fields as "changedFields", before, after
    from custody.transaction_revisions where account_id = $1 order by transaction_id, revision`);
  return {
    rows: new Map(
      rows.map(({ missing, ...fields }) => [
        fields.transaction_id,
        { fields, missingSince: missing === null ? null : Number(missing) },
      ]),
    ),
    statuses: byId(statuses, ({ at, source, ...row }) => ({
      ...row,
      observedAt: Number(at),
      sourceTimestamp: source?.toISOString() ?? null,
    })),
    revisions: byId(revisions, ({ at, ...row }) => ({ ...row, observedAt: Number(at) })),
  };
}

function byId<Found extends { readonly id: string }, Kept>(
  rows: readonly Found[],
  keep: (row: Found) => Kept,
): ReadonlyMap<string, readonly Kept[]> {
  const found = new Map<string, Kept[]>();
  for (const row of rows) found.set(row.id, [...(found.get(row.id) ?? []), keep(row)]);
  return found;
}
