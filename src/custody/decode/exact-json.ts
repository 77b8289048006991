// Parses JSON text into a tree in which numbers keep their source text, so that no amount becomes a float.
// Invariant: the tree is what JSON.parse gives, except that a number is a string that begins with `mark`, which
// occurs nowhere else in the text.
import { randomInt } from 'node:crypto';

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
export const maxDepth = 200;

/** @throws SyntaxError when the text is not JSON */
export function parseExactly(text: string, isUtf8 = true): ExactJson {
  // The search for the two characters is many times as fast as the expression.
  const mayHoldUnstorable = text.includes('\\u') && /\\u(?:0000|[dD][89a-fA-F])/.test(text);
  const value: unknown = JSON.parse(text);
  if (!holdsNumber(value, 0)) return { value, mark: null, isUtf8, mayHoldUnstorable };
  const mark = unusedMark(text);
  return { value: JSON.parse(markNumbers(text, mark)), mark, isUtf8, mayHoldUnstorable };
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
