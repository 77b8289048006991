// The mirror's rows as an assistant sees them. Names, notes, memos and identifiers were written by third
// parties, so a text that could be read as an instruction is marked as data, cannot hide characters, and is
// cut. Amounts and moments stay the exact text that the API sent.

/** Columns that others fill as they like: `approve-all-withdrawals` is one word, too. */
const written = /(^|_)(name|note|memo)$/;
/** An amount, a moment, a code or an identifier: one word, too short and plain to instruct anybody. */
const plainWord = /^[A-Za-z0-9_.:+-]{0,64}$/;
/** Control, formatting (zero width, bidirectional, tags) and private characters. JSON escapes lines. */
const hidden = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const longestText = 300;
const longestArray = 30;

export type Shown =
  | string
  | number
  | boolean
  | null
  | readonly Shown[]
  | { readonly [member: string]: Shown };

/**
 * A value of a row as it is shown.
 *
 * @param column of the value
 */
export function shown(value: unknown, column = ''): Shown {
  if (typeof value === 'string')
    return plainWord.test(value) && !written.test(column) ? value : { untrusted_text: visible(value) };
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const rest = value.length - longestArray;
    const kept = value.slice(0, longestArray).map((each) => shown(each, column));
    return rest > 0 ? [...kept, { left_out: `${rest} more; see the link` }] : kept;
  }
  if (typeof value !== 'object' || value === null) return null;
  // `raw` is the record as the service sent it: every member of it is shown by its column.
  const members = Object.entries(value).filter(([name]) => name !== 'raw');
  return Object.fromEntries(members.map(([name, member]) => [visible(name), shown(member, name)]));
}

export function visible(text: string): string {
  const characters = [...text];
  const rest = characters.length - longestText;
  const kept = characters.slice(0, longestText).join('');
  const escaped = kept.replace(hidden, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
  return rest > 0 ? `${escaped}… (${rest} characters left out)` : escaped;
}
