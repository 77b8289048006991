// Checks the rows of documents against their last revisions. History is sealed, the rows are not: one that
// differs was altered in the database, not by the service, and its values must not enter history.
import type { Resource } from '../../../domain/jobs.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Anomaly } from '../../run/anomalies.ts';
import type { FencedTx } from '../../run/fence.ts';
import { type Micros, microsToIso } from '../../values/micros.ts';
import type { KnownDocument, ObservedDocument } from './document-changes.ts';
import {
  type DocumentHistory,
  type DocumentTable,
  readDocuments,
  readLastRevisions,
  type StoredDocument,
} from './document-rows.ts';

export interface KnownDocuments {
  /** As history has them. A row without history is left out, so that it is overwritten. */
  readonly known: ReadonlyMap<string, KnownDocument>;
  readonly anomalies: readonly Anomaly[];
}

export async function readKnownDocuments(
  tx: FencedTx,
  resource: Resource,
  rows: DocumentTable,
  observed: readonly ObservedDocument[],
): Promise<KnownDocuments> {
  const known = new Map<string, KnownDocument>();
  /** What is in the table and not in history, by identifier. */
  const found = new Map<string, JsonObject>();
  /** Those whose content must be taken from their last revision. */
  const unknown = new Map<string, KnownDocument | null>(observed.map(({ id }) => [id, null]));
  for (const { history, ...row } of await readDocuments(tx, rows, observed)) {
    unknown.delete(row.id);
    const content = { ...row.attributes, ...(row.document === '' ? {} : { document: row.document }) };
    if (history === null) {
      found.set(row.id, { row: 'without history', ...content });
      continue;
    }
    const { isSame } = history;
    const altered = { ...otherMoments(row, history), ...(isSame ? {} : content) };
    const isAltered = !isSame || Object.keys(altered).length > 0;
    const expectedRow = { ...row, ...momentsOf(history), lastRevision: history.revision, isAltered };
    known.set(row.id, expectedRow);
    if (!isAltered) continue;
    found.set(row.id, altered);
    unknown.set(row.id, expectedRow);
  }
  const last = await lastRevisions(tx, rows, [...unknown.keys()], observed);
  for (const [id, row] of unknown) {
    const expected = last.get(id);
    if (expected === undefined) continue;
    const { attributes, document, isObserved, history } = expected;
    const seen = isObserved ? observed.find((one) => one.id === id) : undefined;
    const contentHash = seen?.contentHash ?? row?.contentHash ?? '';
    known.set(id, {
      ...{ id, attributes, document, contentHash, ...momentsOf(history) },
      lastRevision: history.revision,
      isAltered: true,
    });
    if (row === null) found.set(id, { row: null });
  }
  return {
    known,
    anomalies: [...found].map(([resourceId, what]) => ({
      kind: 'altered',
      resource,
      resourceId,
      details: { found: what },
    })),
  };
}

async function lastRevisions(
  tx: FencedTx,
  { kind }: DocumentTable,
  ids: readonly string[],
  observed: readonly ObservedDocument[],
) {
  return ids.length === 0 ? new Map<string, never>() : await readLastRevisions(tx, kind, ids, observed);
}

function momentsOf({ firstSeenAt, changedAt, change }: DocumentHistory) {
  return { firstSeenAt, changedAt, missingSince: change === 'removed' ? changedAt : null };
}

const columns = {
  firstSeenAt: 'first_seen_at',
  changedAt: 'changed_at',
  missingSince: 'missing_since',
} as const;

/** The moments of the row that differ from its history, by column. */
function otherMoments(row: Omit<StoredDocument, 'history'>, history: DocumentHistory): JsonObject {
  const expected = momentsOf(history);
  const found: Record<string, string | null> = {};
  for (const name of ['firstSeenAt', 'changedAt', 'missingSince'] as const) {
    const moment: Micros | null = row[name];
    if (moment !== expected[name]) found[columns[name]] = moment === null ? null : microsToIso(moment);
  }
  return found;
}
