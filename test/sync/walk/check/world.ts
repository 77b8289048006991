// A small list that changes between requests: every change the checker knows, and which of them the walk's
// promise covers.
import type { WalkRules } from '../../../../src/sync/walk/state.ts';

/** One character names one record: lists compare and print as text. */
export type List = string;

export interface Setting {
  readonly length: number;
  /** Records asked for with each request. */
  readonly limit: number;
  /** Records answered at most, whatever is asked for; null for no such limit. */
  readonly clamp: number | null;
  /** Nothing is shown beyond this place, however long the list is; left out where all is shown. */
  readonly window?: number;
}

export type Change =
  | { readonly kind: 'insert'; readonly at: number }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'move'; readonly from: number; readonly to: number }
  | { readonly kind: 'exchange'; readonly a: number; readonly b: number };

/** How a request is answered otherwise than with the truth. */
export type Misanswer = { readonly kind: 'empty' } | { readonly kind: 'cut'; readonly to: number };

export type Event =
  | { readonly kind: 'answer' }
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'misanswer'; readonly with: Misanswer };

const names = 'abcdefghijkl';
const insertedNames = 'UVWXYZ';

export function listOf({ length }: Setting): List {
  return names.slice(0, length);
}

export function pageSizeOf({ limit, clamp }: Setting): number {
  return Math.min(limit, clamp ?? limit);
}

export function rulesOf({ limit }: Setting): WalkRules {
  // Few keys are kept, so that small lists reach beyond what the walk remembers.
  return { paging: 'documented', limit, expectedLength: null, maxPages: 60, keptKeys: 2 };
}

/** What the service shows of a list. */
export function shownOf(list: List, { window = list.length }: Setting): List {
  return list.slice(0, window);
}

export function pageOf(list: List, offset: number, setting: Setting): List {
  return shownOf(list, setting).slice(offset, offset + pageSizeOf(setting));
}

/** Every list that one change can make of this one, each once; `inserted` records were inserted before. */
export function* changesOf(list: List, inserted: number, setting: Setting): Generator<[Change, List]> {
  const seen = new Set<List>([list]);
  for (const change of allChanges(list.length, pageSizeOf(setting))) {
    const next = apply(list, change, inserted);
    if (seen.has(next)) continue;
    seen.add(next);
    yield [change, next];
  }
}

/** In the order of how usual they are, so that a list reached in two ways is explained by the usual one. */
function* allChanges(length: number, pageSize: number): Generator<Change> {
  for (let at = 0; at <= length; at += 1) yield { kind: 'insert', at };
  for (let at = 0; at < length; at += 1) yield { kind: 'remove', at };
  for (let from = 1; from < length; from += 1) yield { kind: 'move', from, to: 0 };
  for (let from = 0; from < length - 1; from += 1) yield { kind: 'move', from, to: length - 1 };
  for (let apart = 1; apart <= pageSize; apart += 1)
    for (let a = 0; a + apart < length; a += 1) yield { kind: 'exchange', a, b: a + apart };
  for (let from = 0; from < length; from += 1)
    for (let to = 1; to < length - 1; to += 1) if (from !== to) yield { kind: 'move', from, to };
}

function apply(list: List, change: Change, inserted: number): List {
  if (change.kind === 'insert') {
    return list.slice(0, change.at) + (insertedNames[inserted] ?? '?') + list.slice(change.at);
  }
  if (change.kind === 'remove') return list.slice(0, change.at) + list.slice(change.at + 1);
  const keys = [...list];
  if (change.kind === 'move') {
    const [moved = ''] = keys.splice(change.from, 1);
    keys.splice(change.to, 0, moved);
    return keys.join('');
  }
  const first = keys[change.a] ?? '';
  keys[change.a] = keys[change.b] ?? '';
  keys[change.b] = first;
  return keys.join('');
}

/** A move to neither end of the list: what the promise does not cover. */
export function isBeyondPromise(change: Change, length: number): boolean {
  return change.kind === 'move' && change.to !== 0 && change.to !== length - 1;
}
