// A JSON text as its leaves by path, with numbers as exact text, so that two records can be compared field by field without
// a float anywhere. Numbers compare as PostgreSQL's jsonb prints them, which is how the stored record comes back.
import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json';
import { parseDecimal } from './decimal.ts';

/** Values of a JSON text without containers, as JSON text; an empty container is a leaf of its own. */
export type Leaves = ReadonlyMap<string, string>;

/**
 * Flattens a JSON text. Paths are joined with dots, elements of arrays are `[0]`, and the top-level names in `leftOut` are
 * not entered. A text that cannot be parsed is a single leaf without a name.
 */
export function jsonLeaves(text: string, leftOut: ReadonlySet<string>): Leaves {
  const leaves = new Map<string, string>();
  let root: unknown;
  try {
    root = parse(text, undefined, (digits) => new LosslessNumber(digits));
  } catch {
    return new Map([['', JSON.stringify(text)]]);
  }
  // A stack of our own: how deep a record is nested is the service's choice.
  const waiting: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: root }];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const { path, value } = entry;
    if (typeof value !== 'object' || value === null || isLosslessNumber(value)) {
      leaves.set(path, leafText(value));
    } else if (Array.isArray(value)) {
      if (value.length === 0) leaves.set(path, '[]');
      for (const [index, element] of value.entries()) {
        waiting.push({ path: `${path}[${index}]`, value: element });
      }
    } else {
      const members = Object.entries(value);
      if (members.length === 0) leaves.set(path, '{}');
      for (const [name, member] of members) {
        if (path === '' && leftOut.has(name)) continue;
        waiting.push({ path: path === '' ? name : `${path}.${name}`, value: member });
      }
    }
  }
  return leaves;
}

function leafText(value: unknown): string {
  if (isLosslessNumber(value)) return parseDecimal(value.toString())?.value ?? value.toString();
  return JSON.stringify(value) ?? 'null';
}
