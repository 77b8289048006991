// Documents of the service, read from the text of the JSON: their numbers stay exact.

import { parse, stringify } from 'lossless-json';
import { jsonLeaves, type Leaves } from '../../../../src/domain/json.ts';
import type { DocumentChange } from '../api/interface.ts';

/** States with what each changed, value by value. */
export type ReadChanges = ReturnType<typeof readChanges>;
export type ReadChange = ReadChanges['changes'][number];

/** @param json the answer of listDocumentChanges */
export function readChanges(json: string) {
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

/** The values of a document: the path to each, and its JSON text. */
function membersOf(document: unknown) {
  return [...leavesOf(document)]
    .map(([path, value]) => ({ path, value }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Values before and after; null where one was absent. */
function differencesOf(before: unknown, after: unknown) {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const shownAt = (leaves: Leaves, path: string) =>
    path === '' && leaves.get(path) === '{}' ? null : (leaves.get(path) ?? null);
  return [...new Set([...was.keys(), ...is.keys()])]
    .sort()
    .map((path) => ({ path, before: shownAt(was, path), after: shownAt(is, path) }))
    .filter((each) => each.before !== each.after);
}
