// What a list of documents (vaults or whitelist entries) changes, given the rows there are. Pure. Every state of a document
// is one revision: added, changed, removed from a complete list, restored. A list older than a row does not touch it.
import { jsonLeaves } from '../../domain/json-leaves.ts';
import type { Micros } from '../postgres/micros.ts';

/** A document as it was received. */
export interface ObservedDocument {
  readonly id: string;
  /** The columns beside the document, by their member of the table. */
  readonly attributes: Readonly<Record<string, string | null>>;
  /** JSON text. */
  readonly document: string;
  readonly contentHash: string;
}

/** A document as it is stored; `document` is read only where it is needed. */
export interface KnownDocument extends ObservedDocument {
  readonly changedAt: Micros;
  readonly missingSince: Micros | null;
  readonly lastRevision: number;
}

export type DocumentChange = 'added' | 'changed' | 'removed' | 'restored';

export interface DocumentRevision {
  readonly id: string;
  readonly revision: number;
  readonly change: DocumentChange;
  /** As in `ObservedDocument`; at a removal those that were last recognised. */
  readonly attributes: Readonly<Record<string, string | null>>;
  readonly document: string;
}

export interface DocumentChanges {
  /** Documents that are there, to be written as they are. */
  readonly written: readonly { readonly document: ObservedDocument; readonly changedAt: Micros }[];
  readonly revisions: readonly DocumentRevision[];
  /** Documents that the list was too old to change, and the latest time for which it was. */
  readonly refused: { readonly count: number; readonly for: Micros };
}

export interface DocumentList {
  readonly observed: readonly ObservedDocument[];
  readonly beganAt: Micros;
  readonly arrivedAt: Micros;
  /** Whether a document that is not in it, nor in `unreadable`, is gone. */
  readonly isComplete: boolean;
  readonly unreadable: ReadonlySet<string>;
}

/** The time of retrieval says nothing of the document. */
const leftOut: ReadonlySet<string> = new Set(['timestamp']);

export function documentChanges(
  known: ReadonlyMap<string, KnownDocument>,
  list: DocumentList,
): DocumentChanges {
  const written: { document: ObservedDocument; changedAt: Micros }[] = [];
  const revisions: DocumentRevision[] = [];
  const refusedFor: Micros[] = [];
  const observedIds = new Set(list.observed.map((document) => document.id));
  for (const document of list.observed) {
    const before = known.get(document.id);
    const change = before === undefined ? 'added' : changeOf(before, document, list.beganAt);
    if (before !== undefined && change === 'refused') refusedFor.push(lastTold(before));
    if (change === 'none' || change === 'refused') continue;
    const changedAt = change === 'rewritten' && before !== undefined ? before.changedAt : list.arrivedAt;
    written.push({ document, changedAt });
    if (change === 'rewritten') continue;
    const revision = (before?.lastRevision ?? 0) + 1;
    revisions.push({
      id: document.id,
      revision,
      change,
      attributes: document.attributes,
      document: document.document,
    });
  }
  // A record that cannot be read and whose identifier is not known may be any of the missing ones.
  const maybeAny = [...list.unreadable].some((key) => !known.has(key));
  if (list.isComplete && !maybeAny) {
    for (const document of known.values()) {
      if (observedIds.has(document.id) || list.unreadable.has(document.id)) continue;
      if (document.missingSince !== null) continue;
      if (list.beganAt < document.changedAt) {
        refusedFor.push(document.changedAt);
        continue;
      }
      const revision = document.lastRevision + 1;
      revisions.push({
        id: document.id,
        revision,
        change: 'removed',
        attributes: document.attributes,
        document: document.document,
      });
    }
  }
  return { written, revisions, refused: { count: refusedFor.length, for: Math.max(0, ...refusedFor) } };
}

function lastTold({ changedAt, missingSince }: KnownDocument): Micros {
  return Math.max(changedAt, missingSince ?? 0);
}

/** `rewritten`: spelled otherwise, but the same; only the digest is brought up to date. */
function changeOf(
  before: KnownDocument,
  document: ObservedDocument,
  beganAt: Micros,
): 'changed' | 'restored' | 'rewritten' | 'none' | 'refused' {
  if (beganAt < lastTold(before)) return 'refused';
  if (before.missingSince !== null) return 'restored';
  const sameAttributes = Object.keys(document.attributes).every(
    (name) => before.attributes[name] === document.attributes[name],
  );
  if (!sameAttributes) return 'changed';
  if (before.contentHash === document.contentHash) return 'none';
  return sameLeaves(before.document, document.document) ? 'rewritten' : 'changed';
}

function sameLeaves(a: string, b: string): boolean {
  const leavesA = jsonLeaves(a, leftOut);
  const leavesB = jsonLeaves(b, leftOut);
  return leavesA.size === leavesB.size && [...leavesA].every(([path, leaf]) => leavesB.get(path) === leaf);
}
