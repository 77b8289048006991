// JSON values, the display of text that PostgreSQL cannot store, and the leaves of a JSON text, which are
// used to compare records.
import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json';
import { parseDecimal } from './decimal.ts';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is exactly what must be found.
const unstorable = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** False for U+0000 and lone surrogates, which PostgreSQL stores in neither `text` nor `jsonb`. */
export function isStorable(text: string): boolean {
  unstorable.lastIndex = 0;
  return !unstorable.test(text);
}

/**
 * Replaces every U+0000 and lone surrogate by its six-character escape (`\u0000`, `\ud800`), so that the text
 * can be stored and a reader sees what it held.
 */
export function storableText(text: string): string {
  const storable = text.replace(unstorable, escapeOf);
  return storable === text ? text : inFewBytes(storable);
}

/**
 * The same text in one byte per character, if possible. A text cut from one with wide characters takes two
 * bytes per character, even if it holds none itself.
 */
function inFewBytes(text: string): string {
  return text.length < longText || wide.test(text) ? text : Buffer.from(text, 'latin1').toString('latin1');
}

/** A shorter one is not worth the work. */
const longText = 2 ** 14;
const wide = /[^\0-\xff]/;
const everyWide = /[^\0-\xff]/g;

/** The JSON text in the form that takes less memory: a wide character may be an escape. */
export function compactJson(json: string): string {
  if (json.length < longText) return json;
  const escaped = json.replace(everyWide, escapeOf);
  return escaped.length < 2 * json.length ? inFewBytes(escaped) : json;
}

/** Of the units there are, because an answer may be full of them. */
const escapes = new Map<string, string>();

function escapeOf(unit: string): string {
  const known = escapes.get(unit);
  if (known !== undefined) return known;
  const made = `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  escapes.set(unit, made);
  return made;
}

/** The values of a JSON text by path, each as JSON text. An empty array or object is a leaf too. */
export type Leaves = ReadonlyMap<string, string>;

/**
 * Flattens JSON text, without floats: numbers have the text that PostgreSQL's jsonb prints, because the
 * stored record comes back in that form. Paths are joined with dots; elements of arrays are `[0]`. The
 * top-level names in `leftOut` are skipped. A text that cannot be parsed is a single leaf with an empty path.
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
