// Keeps a spreadsheet from taking text for a formula, by an apostrophe in front. CSV names no separator:
// where a spreadsheet splits at semicolons or tabs, the quotes around text protect nothing, and what follows
// a separator or the end of a line inside a text is a cell too.
import { type SQL, sql } from 'drizzle-orm';

/** What begins a formula, the wide forms included. Spreadsheets may strip blanks and quotes before it. */
const formula = '[ "]*[=+@＝＋－＠-]';
const first = `^(?:[\\t\\n\\r]|${formula})`;
const inside = `([;\\t\\n\\r])(${formula})`;
const [firstPattern, insidePattern] = [new RegExp(first), new RegExp(inside, 'g')];

export function beginsFormula(text: string): boolean {
  return firstPattern.test(text);
}

export function guardFormulas(text: string): string {
  return `${beginsFormula(text) ? "'" : ''}${text.replaceAll(insidePattern, "$1'$2")}`;
}

/** The same in SQL. For most texts a look at their characters is enough, which is quicker. */
export function guardedText(value: SQL): SQL {
  const quoted = (pattern: string) => sql.raw(`'${pattern}'`);
  return sql`case when ascii(${value}) in (9, 10, 13, 32, 34, 43, 45, 61, 64, 65291, 65293, 65309, 65312) or ${value} ~ '[;\\t\\n\\r]'
    then case when ${value} ~ ${quoted(first)} then '''' else '' end || regexp_replace(${value}, ${quoted(inside)}, '\\1''\\2', 'g')
    else ${value} end`;
}
