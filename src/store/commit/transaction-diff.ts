// What changed between two observations of a transaction, apart from the status: by column where the field
// has one, else by its path in the record. Pure. Another spelling of the same value changes the record only,
// and shows as its path.
import { columnOf, namesOf, pathsOf, transactionDetails, transactionFields } from '../../domain/fields.ts';
import { jsonLeaves, type Leaves } from '../../domain/json.ts';
import type { TransactionDetails } from '../../domain/transaction.ts';
import { type Micros, microsToIso } from '../values/micros.ts';

export interface TransactionRevision {
  readonly changedFields: readonly string[];
  /** JSON text of an object of the changed fields; one that was absent is left out. */
  readonly before: string;
  readonly after: string;
}

type Observed = TransactionDetails & { readonly raw: string };

const detailFields = namesOf(transactionDetails);
/** For each of them, the paths in the record that it is read from. */
const paths: ReadonlyMap<string, readonly string[]> = new Map(
  detailFields.map((name) => [name, pathsOf(transactionDetails[name])]),
);
/** `timestamp` is the time of retrieval; status and identifier have columns of their own in the history. */
const { transactionId, status, sourceTimestamp } = transactionFields;
const leftOut: ReadonlySet<string> = new Set([transactionId, status, sourceTimestamp].flatMap(pathsOf));

/** @returns null when nothing but status or timestamp differs */
export function diffTransactions(before: Observed, after: Observed): TransactionRevision | null {
  const changedFields: string[] = [];
  const beforeMembers: string[] = [];
  const afterMembers: string[] = [];
  const explained = new Set<string>();
  const leavesBefore = jsonLeaves(before.raw, leftOut);
  const leavesAfter = jsonLeaves(after.raw, leftOut);
  for (const field of detailFields) {
    if (before[field] === after[field]) continue;
    const name = columnOf(field);
    changedFields.push(name);
    beforeMembers.push(member(name, JSON.stringify(before[field])));
    afterMembers.push(member(name, JSON.stringify(after[field])));
    const [own = '', ...aliases] = paths.get(field) ?? [];
    explained.add(own);
    // Another name explains itself only where the field was read from it: its own name hides what it holds.
    const isRead = (leaves: Leaves, alias: string) =>
      !leaves.has(alias) || (leaves.get(own) ?? 'null') === 'null';
    for (const alias of aliases)
      if (isRead(leavesBefore, alias) && isRead(leavesAfter, alias)) explained.add(alias);
  }
  for (const path of [...new Set([...leavesBefore.keys(), ...leavesAfter.keys()])].sort()) {
    const was = leavesBefore.get(path);
    const is = leavesAfter.get(path);
    if (was === is || explained.has(path)) continue;
    const name = `raw.${path}`;
    changedFields.push(name);
    if (was !== undefined) beforeMembers.push(member(name, was));
    if (is !== undefined) afterMembers.push(member(name, is));
  }
  if (changedFields.length === 0) return null;
  return { changedFields, before: `{${beforeMembers.join()}}`, after: `{${afterMembers.join()}}` };
}

function member(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`;
}

/** The revision of a transaction that is shown again, together with its other changes. */
export function withReturn(content: TransactionRevision | null, missingSince: Micros): TransactionRevision {
  const before: unknown = JSON.parse(content?.before ?? '{}');
  const after: unknown = JSON.parse(content?.after ?? '{}');
  return {
    changedFields: [...(content?.changedFields ?? []), 'missing_since'],
    before: JSON.stringify({ ...Object(before), missing_since: microsToIso(missingSince) }),
    after: JSON.stringify({ ...Object(after), missing_since: null }),
  };
}
