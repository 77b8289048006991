// Parses JSON text into a tree in which numbers keep their source text, so that no amount becomes a float.
// Invariant: the tree is what JSON.parse gives, except that a number is a string that begins with `mark`, and
// a byte that was not UTF-8 is `byteMark` with two digits. Neither mark occurs anywhere else in the text.
import { randomInt } from 'node:crypto';
import { holdsInvalidBytes, replaceInvalidBytes } from './utf8.ts';

/** A parsed body. `mark` is null when the body holds no number at all, the common case. */
export interface ExactJson {
  readonly value: unknown;
  readonly mark: string | null;
  /** Precedes the two hexadecimal digits of each byte that was not UTF-8; null when there is no such byte. */
  readonly byteMark: string | null;
  /** True when a string of the body may hold U+0000 or a lone surrogate, which only an escape can produce. */
  readonly mayHoldUnstorable: boolean;
}

/** The deepest nesting that any budget allows; PostgreSQL's own limit is far higher. */
export const maxDepth = 200;

/** A body with more bytes that are not UTF-8 is refused. */
const maxInvalidBytes = 100_000;

/**
 * @param source text from `decodeUtf8`
 * @param wasUtf8 whether all bytes were UTF-8; detected from the text if unknown
 * @throws SyntaxError when the text is not JSON, or too many bytes are not UTF-8
 */
export function parseExactly(source: string, wasUtf8 = !holdsInvalidBytes(source)): ExactJson {
  const byteMark = wasUtf8 ? null : unusedMark(source);
  const text = byteMark === null ? source : markBytes(source, byteMark);
  // The search for the two characters is many times as fast as the expression.
  const mayHoldUnstorable = text.includes('\\u') && /\\u(?:0000|[dD][89a-fA-F])/.test(text);
  const value: unknown = JSON.parse(text);
  if (!holdsNumber(value, 0)) return { value, mark: null, byteMark, mayHoldUnstorable };
  const mark = unusedMark(text);
  return { value: JSON.parse(markNumbers(text, mark)), mark, byteMark, mayHoldUnstorable };
}

/** @throws SyntaxError when too many bytes of the text are not UTF-8 */
function markBytes(text: string, byteMark: string): string {
  let count = 0;
  return replaceInvalidBytes(text, (byte) => {
    count += 1;
    if (count > maxInvalidBytes) throw new SyntaxError('too many bytes are not UTF-8');
    return byteMark + byte.toString(16);
  });
}

/** True when the value holds a number, or is too deep to search. */
function holdsNumber(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'number';
  if (depth > maxDepth) return true;
  if (Array.isArray(value)) return value.some((element) => holdsNumber(element, depth + 1));
  for (const name in value) if (holdsNumber((value as Record<string, unknown>)[name], depth + 1)) return true;
  return false;
}

/** Private-use characters, drawn when the text is there, so that nobody can have written them into it. */
function unusedMark(text: string): string {
  for (;;) {
    const mark = String.fromCharCode(...Array.from({ length: 4 }, () => randomInt(0xe000, 0xf900)));
    if (!text.includes(mark)) return mark;
  }
}

const stringOrNumber = /["\-0-9]/g;
const numberToken = /[-+0-9.eE]+/y;

/** Rewrites every number of valid JSON text as a marked string. */
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
    const token = numberToken.exec(text)?.[0] ?? '';
    parts.push(text.slice(copied, match.index), `"${mark}${token}"`);
    copied = match.index + token.length;
    stringOrNumber.lastIndex = copied;
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
