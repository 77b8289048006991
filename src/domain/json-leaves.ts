// Flattens JSON text into leaves by path, so that two records can be compared field by field without floats. Numbers have the
// text that PostgreSQL's jsonb prints, because the stored record comes back in that form.
import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json';
import { parseDecimal } from './decimal.ts';

/** The values of a JSON text by path, each as JSON text. An empty array or object is a leaf too. */
export type Leaves = ReadonlyMap<string, string>;

/**
 * Paths are joined with dots; elements of arrays are `[0]`. The top-level names in `leftOut` are skipped. A text that cannot
 * be parsed is a single leaf with an empty path.
 */
export function jsonLeaves(text: string, leftOut: ReadonlySet<string>): Leaves {
  const leaves = new Map<string, string>();
  let root: unknown;
  try {
    root = parse(text, undefined, (digits) => new LosslessNumber(digits));
  } catch {
    return new Map([['', JSON.stringify(text)]]);
  }
  // No recursion, because the service decides how deep a record is nested.
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
