// The content of a record: its JSON text as stored, and the digest that shows a change. Invariant: the order
// of keys does not change the digest; any difference outside the record's own `timestamp` does, also in
// unknown fields, in nesting, and in bytes that are not UTF-8.
import { hash } from 'node:crypto';
import { parseDecimal } from '../../domain/decimal.ts';
import { type JsonObject, storableText } from '../../domain/json.ts';
import { type ExactJson, maxDepth } from './exact-json.ts';

/** The record is nested deeper than `maxDepth`. */
export class TooDeep extends Error {}

type Marks = Pick<ExactJson, 'mark' | 'byteMark' | 'mayHoldUnstorable'>;

/** True for an object with named members; false for arrays and null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value as JSON text that jsonb accepts: numbers as received; U+0000, lone surrogates and bytes that were
 * not UTF-8 as visible escapes. A number that PostgreSQL's numeric cannot hold becomes a string.
 */
export function rawText(value: unknown, marks: Marks): string {
  const text = JSON.stringify(value) ?? 'null';
  const storable = marks.mayHoldUnstorable ? showUnstorable(text) : text;
  const visible = showBytes(storable, marks.byteMark, '\\\\x');
  return marks.mark === null ? visible : restoreNumbers(visible, marks.mark);
}

/**
 * Doubles the backslash of each escape that PostgreSQL cannot store as a character, so that the escape itself
 * is stored.
 */
function showUnstorable(json: string): string {
  return json.replace(/\\(\\|u(?:0000|d[89a-f][0-9a-f]{2}))/g, (whole, escaped: string) =>
    escaped === '\\' ? whole : `\\\\${escaped}`,
  );
}

/** The text with a visible escape such as `\xff` for each byte that was not UTF-8. */
export function showBytes(text: string, byteMark: string | null, prefix = '\\x'): string {
  return byteMark === null ? text : text.replaceAll(byteMark, prefix);
}

function restoreNumbers(json: string, mark: string): string {
  return json.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), (_, token: string) =>
    parseDecimal(token) === null ? `"${token}"` : token,
  );
}

/** The value truncated at `maxDepth`, to show a record that is nested too deep. */
export function pruned(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return `[nested deeper than ${maxDepth} levels]`;
  if (Array.isArray(value)) return value.map((element) => pruned(element, depth + 1));
  const entries = Object.entries(value).map(([name, member]) => [name, pruned(member, depth + 1)]);
  return Object.fromEntries(entries);
}

/**
 * Digests the values of one page. It caches the key order of each object shape, so each shape is sorted once.
 */
export interface ContentDigest {
  /**
   * 128 bits of SHA-256 in base64url.
   *
   * @param without name of a top-level member to leave out
   * @throws TooDeep
   */
  digest(value: unknown, without?: string): string;
}

interface Shape {
  readonly names: readonly string[];
  readonly order: readonly number[];
}

export function createContentDigest({ mark, byteMark, mayHoldUnstorable }: Marks): ContentDigest {
  const shapes: Shape[] = [];

  const orderOf = (names: readonly string[]): readonly number[] => {
    for (const shape of shapes) if (sameNames(shape.names, names)) return shape.order;
    const order = names.map((_, index) => index);
    order.sort((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1));
    if (shapes.length < 16) shapes.push({ names, order });
    return order;
  };

  const isMarked = (text: string): boolean => byteMark !== null && text.includes(byteMark);
  /**
   * Each page has its own mark, so the digest is made from the visible escape, which is the same on all
   * pages.
   */
  const unmarked = (text: string): string =>
    isMarked(text) ? showBytes(text.replaceAll('\\', '\\\\'), byteMark) : text;
  const sized = (text: string): string => {
    const shown = unmarked(text);
    return `${isMarked(text) ? 'b' : ''}${shown.length}:${shown}`;
  };

  /** Text that is equal only for equal values, because the length stands before every string. */
  const canonical = (value: unknown, depth: number, without?: string): string => {
    if (typeof value === 'string') {
      return mark !== null && value.startsWith(mark)
        ? `n${value.length}:${value.slice(mark.length)}`
        : `s${sized(value)}`;
    }
    if (value === null) return 'z';
    if (typeof value !== 'object') return value === true ? 't' : 'f';
    if (depth > maxDepth) throw new TooDeep();
    if (Array.isArray(value)) {
      let list = '[';
      for (const element of value) list += canonical(element, depth + 1);
      return `${list}]`;
    }
    const members = value as Record<string, unknown>;
    const names = Object.keys(members);
    const shown = byteMark === null ? names : names.map(unmarked);
    let text = '{';
    for (const index of orderOf(shown)) {
      const name = names[index] ?? '';
      if (name !== without) text += `${sized(name)}${canonical(members[name], depth + 1)}`;
    }
    return `${text}}`;
  };

  return {
    digest(value, without) {
      const text = canonical(value, 0, without);
      // UTF-8 has one replacement for all lone surrogates, so they are escaped first.
      return hash('sha256', mayHoldUnstorable ? storableText(text) : text, 'base64url').slice(0, 22);
    },
  };
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}
