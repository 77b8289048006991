// Documents of the service, read from the text of the JSON: their numbers stay exact.
import { parse, stringify } from 'lossless-json';
import { jsonLeaves } from '../../../domain/json.ts';
import type { DocumentChange } from '../page/api.ts';

/** A value of a document: the path to it, and its JSON text. */
export interface Member {
  readonly path: string;
  readonly value: string;
}

/** A value before and after; null where it was absent. */
export interface Difference {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A state with what it changed, value by value. */
export interface ReadChange {
  readonly row: DocumentChange;
  readonly differences: readonly Difference[];
  readonly members: readonly Member[];
}

export interface ReadChanges {
  readonly changes: readonly ReadChange[];
  readonly next: string | null;
}

/** @param json the answer of listDocumentChanges */
export function readChanges(json: string): ReadChanges {
  const exact = parse(json) as { readonly data: readonly Readonly<Record<string, unknown>>[] };
  const plain = JSON.parse(json) as { data: DocumentChange[]; next_cursor: string | null };
  return {
    changes: plain.data.map((row, index) => {
      const { before = {}, after = {}, document = {} } = exact.data[index] ?? {};
      return { row, differences: differencesOf(before, after), members: membersOf(document) };
    }),
    next: plain.next_cursor,
  };
}

function leavesOf(value: unknown) {
  return jsonLeaves(stringify(value) ?? 'null', new Set());
}

function membersOf(document: unknown): readonly Member[] {
  return [...leavesOf(document)]
    .map(([path, value]) => ({ path, value }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function differencesOf(before: unknown, after: unknown): readonly Difference[] {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const isEmpty = (path: string, value: string | undefined) => path === '' && value === '{}';
  return [...new Set([...was.keys(), ...is.keys()])]
    .sort()
    .filter((path) => was.get(path) !== is.get(path))
    .map((path) => ({
      path,
      before: isEmpty(path, was.get(path)) ? null : (was.get(path) ?? null),
      after: isEmpty(path, is.get(path)) ? null : (is.get(path) ?? null),
    }))
    .filter((each) => each.before !== null || each.after !== null);
}
