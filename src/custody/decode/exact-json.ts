// JSON as it came: parses it into a tree in which numbers keep their source text, so that no amount becomes a
// float. The tree is what JSON.parse gives, except that a number is a string that begins with `mark`, which
// occurs nowhere else in the text. Writes the text that is stored. Digests it, so that a change shows: the
// digest ignores the order of keys and the record's own `timestamp`, and no other difference that PostgreSQL
// stores, not even in unknown fields or nesting.
import { randomInt } from 'node:crypto';
import { type Bytes, sha256, toBuffer, utf8, value } from '../../base/encoded-values.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import { type JsonObject, storableText } from '../../domain/json.ts';

/** A parsed body. `mark` is null when the body holds no number at all, the common case. */
export interface ExactJson {
  readonly value: unknown;
  readonly mark: string | null;
  /** False if U+FFFD may stand for bytes that were not UTF-8. */
  readonly isUtf8: boolean;
  /** True when a string of the body may hold U+0000 or a lone surrogate, which only an escape can produce. */
  readonly mayHoldUnstorable: boolean;
}

/** The deepest nesting that any budget allows; PostgreSQL's own limit is far higher. */
const maxDepth = 200;

/** @throws SyntaxError when the text is not JSON */
export function parseExactly(text: string, isUtf8 = true): ExactJson {
  // Searching for the two characters is many times as fast as the expression.
  const mayHoldUnstorable = text.includes('\\u') && /\\u(?:0000|[dD][89a-fA-F])/.test(text);
  const mark = mayHoldNumber.test(text) ? unusedMark(text) : null;
  const value: unknown = JSON.parse(mark === null ? text : markNumbers(text, mark));
  return { value, mark, isUtf8, mayHoldUnstorable };
}

/** A number stands between these characters. So may a part of a text, which costs time only. */
const mayHoldNumber = /(?:^|[[,:])\s*-?\d[-+.eE\d]*\s*(?:[,\]}]|$)/;

/** Private-use characters, drawn when the text is there, so that nobody can have written them into it. */
function unusedMark(text: string): string {
  for (;;) {
    const mark = String.fromCharCode(...Array.from({ length: 4 }, () => randomInt(0xe000, 0xf900)));
    if (!text.includes(mark)) return mark;
  }
}

const stringOrNumber = /["\-0-9]/g;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
/** After the name of a member, which is not a number: text that is not JSON must not become JSON. */
const colon = /\s*:/y;

/** Rewrites every number of a JSON text as a marked string. */
function markNumbers(text: string, mark: string): string {
  const parts: string[] = [];
  let copied = 0;
  stringOrNumber.lastIndex = 0;
  for (let match = stringOrNumber.exec(text); match !== null; match = stringOrNumber.exec(text)) {
    if (match[0] === '"') {
      stringOrNumber.lastIndex = endOfString(text, match.index);
      continue;
    }
    numberToken.lastIndex = match.index;
    const token = numberToken.exec(text)?.[0];
    if (token === undefined) continue;
    const end = match.index + token.length;
    stringOrNumber.lastIndex = end;
    colon.lastIndex = end;
    if (colon.test(text)) continue;
    parts.push(text.slice(copied, match.index), `"${mark}${token}"`);
    copied = end;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}

/** The position after the string that begins at `start`. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** The value is nested deeper than is allowed. */
export class TooDeep extends Error {}

type Marks = Pick<ExactJson, 'mark' | 'mayHoldUnstorable'>;

/** True for an object with named members; false for arrays and null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value as JSON text that jsonb accepts: numbers as received; U+0000 and lone surrogates as visible
 * escapes. A number that PostgreSQL's numeric cannot hold becomes a string.
 */
export function rawText(value: unknown, marks: Marks): string {
  const text = JSON.stringify(value) ?? 'null';
  const storable = marks.mayHoldUnstorable ? showUnstorable(text) : text;
  return marks.mark === null ? storable : restoreNumbers(storable, marks.mark);
}

/**
 * Doubles the backslash of each escape that PostgreSQL cannot store as a character, so that the escape itself
 * is stored. An escaped backslash is replaced by itself. A replacer function would leave as much garbage as
 * the whole answer.
 */
function showUnstorable(json: string): string {
  return json.replace(/\\\\|\\(?=u(?:0000|d[89a-f][0-9a-f]{2}))/g, '\\\\');
}

function restoreNumbers(json: string, mark: string): string {
  return json.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), (_, token: string) =>
    parseDecimal(token) === null ? `"${token}"` : token,
  );
}

/** The value without deeper levels, to show a record that is nested too deep. */
export function pruned(value: unknown, deepest: number, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return `[nested deeper than ${deepest} levels]`;
  if (Array.isArray(value)) return value.map((element) => pruned(element, deepest, depth + 1));
  const entries = Object.entries(value).map(([name, member]) => [name, pruned(member, deepest, depth + 1)]);
  return Object.fromEntries(entries);
}

/** The order of the keys of an object, which is kept. */
interface Shape {
  readonly names: readonly string[];
  /** In the order of the bytes of their names. */
  readonly members: readonly { readonly name: string; readonly head: Bytes }[];
}

/** For stored records, which are read one by one and hold nothing that cannot be stored. */
const shapesOfStored: Shape[] = [];

/** Encodes and digests the values of one page. */
export function createContentDigest(
  { mark, mayHoldUnstorable }: Marks,
  deepest = maxDepth,
  isStored = false,
) {
  const shapes = isStored && !mayHoldUnstorable ? shapesOfStored : [];

  const encodeText = (text: string) => value('t', utf8(mayHoldUnstorable ? storableText(text) : text));

  const membersOf = (names: readonly string[]): Shape['members'] => {
    for (const shape of shapes) if (sameNames(shape.names, names)) return shape.members;
    // Of two names that are stored as one, the last one stays.
    const byHead = new Map(names.map((name) => [encodeText(name), name]));
    const members = [...byHead].map(([head, name]) => ({ name, head }));
    members.sort((a, b) => (a.head.slice(5) < b.head.slice(5) ? -1 : 1));
    if (shapes.length < 16) shapes.push({ names, members });
    return members;
  };

  const encodeAt = (node: unknown, depth: number, without?: string): Bytes => {
    if (typeof node === 'string')
      return mark !== null && node.startsWith(mark)
        ? encodeNumber(node.slice(mark.length))
        : encodeText(node);
    if (node === null) return value('z', '');
    if (typeof node !== 'object') return value('y', String(node));
    if (depth > deepest) throw new TooDeep();
    let body = '';
    if (Array.isArray(node)) {
      for (const element of node) body += encodeAt(element, depth + 1);
      return value('a', body);
    }
    const members = node as Record<string, unknown>;
    for (const { name, head } of membersOf(Object.keys(members)))
      if (name !== without) body += head + encodeAt(members[name], depth + 1);
    return value('o', body);
  };

  /** As docs/sealing-format.md says: the stored value gives the same bytes. @throws TooDeep */
  const encode = (node: unknown, without?: string) => encodeAt(node, 0, without);
  return {
    encode,
    /**
     * SHA-256 of these bytes, in base64url.
     *
     * @param without name of a top-level member to leave out
     * @throws TooDeep
     */
    digest: (node: unknown, without?: string) =>
      toBuffer(sha256(encode(node, without))).toString('base64url'),
  };
}

/** In the form in which PostgreSQL writes it; a number that it cannot hold is stored as text. */
function encodeNumber(token: string): Bytes {
  const decimal = parseDecimal(token);
  return decimal === null ? value('t', token) : value('n', decimal.value);
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}
