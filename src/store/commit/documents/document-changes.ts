// Decides what a list of documents (vaults or whitelist entries) changes in the existing rows. Pure. Every
// state of a document is one revision: added, changed, removed from a complete list, restored. A list older
// than a row does not change it.
import type { DocumentChange } from '../../../domain/document.ts';
import type { Micros } from '../../values/micros.ts';

/** A document as it was received. */
export interface ObservedDocument {
  readonly id: string;
  /** The columns beside the document, by their member of the table. */
  readonly attributes: Readonly<Record<string, string | null>>;
  /** JSON text. */
  readonly document: string;
  readonly contentHash: string;
}

/**
 * A document as its row and its history have it. `document` is empty where its digest is the observed one.
 */
export interface KnownDocument extends ObservedDocument {
  readonly firstSeenAt: Micros;
  readonly changedAt: Micros;
  readonly missingSince: Micros | null;
  readonly lastRevision: number;
  /** Somebody changed or deleted the row in the database. */
  readonly isAltered: boolean;
}

export interface DocumentRevision {
  readonly id: string;
  readonly revision: number;
  readonly change: DocumentChange;
  /** As in `ObservedDocument`; at a removal the last known ones. */
  readonly attributes: Readonly<Record<string, string | null>>;
  readonly document: string;
}

export interface DocumentChanges {
  /** Documents whose rows have to be written. */
  readonly written: readonly WrittenDocument[];
  readonly revisions: readonly DocumentRevision[];
  /** How many rows are younger than the list. */
  readonly stale: number;
}

export interface WrittenDocument {
  readonly document: ObservedDocument;
  readonly firstSeenAt: Micros;
  readonly changedAt: Micros;
  readonly missingSince: Micros | null;
}

export interface DocumentList {
  readonly observed: readonly ObservedDocument[];
  readonly beganAt: Micros;
  readonly arrivedAt: Micros;
  /** Whether a document that is neither in the list nor in `unreadable` is gone. */
  readonly isComplete: boolean;
  readonly unreadable: ReadonlySet<string>;
}

export function documentChanges(
  known: ReadonlyMap<string, KnownDocument>,
  list: DocumentList,
): DocumentChanges {
  const written: WrittenDocument[] = [];
  const revisions: DocumentRevision[] = [];
  let stale = 0;
  const observedIds = new Set(list.observed.map((document) => document.id));
  for (const document of list.observed) {
    const before = known.get(document.id);
    const change = before === undefined ? 'added' : changeOf(before, document, list.beganAt);
    if (change === 'refused') stale += 1;
    if (change === 'none' && before?.isAltered) written.push(asBefore(before, document));
    if (change === 'none' || change === 'refused') continue;
    const at = list.arrivedAt;
    written.push({ document, firstSeenAt: before?.firstSeenAt ?? at, changedAt: at, missingSince: null });
    revisions.push(revisionOf(document, change, before?.lastRevision ?? 0));
  }
  // An unreadable record without a known identifier may be any of the missing ones.
  const mayBeAny = [...list.unreadable].some((key) => !known.has(key));
  if (list.isComplete && !mayBeAny) {
    for (const document of known.values()) {
      if (observedIds.has(document.id) || list.unreadable.has(document.id)) continue;
      if (document.missingSince !== null) {
        if (document.isAltered) written.push(asBefore(document, document));
        continue;
      }
      if (list.beganAt < document.changedAt) stale += 1;
      else revisions.push(revisionOf(document, 'removed', document.lastRevision));
    }
  }
  return { written, revisions, stale };
}

/** The row as history has it. */
function asBefore(
  { firstSeenAt, changedAt, missingSince }: KnownDocument,
  document: ObservedDocument,
): WrittenDocument {
  return { document, firstSeenAt, changedAt, missingSince };
}

function revisionOf(
  { id, attributes, document }: ObservedDocument,
  change: DocumentChange,
  lastRevision: number,
): DocumentRevision {
  return { id, revision: lastRevision + 1, change, attributes, document };
}

function changeOf(
  before: KnownDocument,
  document: ObservedDocument,
  beganAt: Micros,
): 'changed' | 'restored' | 'none' | 'refused' {
  if (beganAt < Math.max(before.changedAt, before.missingSince ?? 0)) return 'refused';
  if (before.missingSince !== null) return 'restored';
  const isSame =
    before.contentHash === document.contentHash &&
    Object.keys(document.attributes).every((name) => before.attributes[name] === document.attributes[name]);
  return isSame ? 'none' : 'changed';
}
