// The columns that the read API shows, and how PostgreSQL writes them: as a member of JSON, and as a cell of
// CSV. The database writes the text, because that is much quicker than rows that become objects and then text
// again.
import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { type FilterColumn, filterKey, filterKeys } from '../../../../drizzle/transactions.ts';
import { columnOf, type Field, type Fields } from '../../../domain/fields.ts';
import { shownMoment } from '../../values/micros.ts';
import { catalogue } from '../generated/catalogue.ts';

// Keeps a spreadsheet from taking text for a formula, by an apostrophe in front. CSV names no separator:
// where a spreadsheet splits at semicolons or tabs, the quotes around text protect nothing, and what follows
// a separator or the end of a line inside a text is a cell too.

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
function guardedText(value: SQL): SQL {
  const quoted = (pattern: string) => sql.raw(`'${pattern}'`);
  return sql`case when ascii(${value}) in (9, 10, 13, 32, 34, 43, 45, 61, 64, 65291, 65293, 65309, 65312) or ${value} ~ '[;\\t\\n\\r]'
    then case when ${value} ~ ${quoted(first)} then '''' else '' end || regexp_replace(${value}, ${quoted(inside)}, '\\1''\\2', 'g')
    else ${value} end`;
}

export type ColumnKind =
  | 'text'
  /** Exact decimal text. */
  | 'amount'
  /** RFC 3339 in UTC with microseconds. */
  | 'moment'
  /** A calendar day, YYYY-MM-DD. */
  | 'day'
  | 'integer'
  | 'boolean'
  /** An interval as seconds with three decimals. */
  | 'seconds'
  | 'texts'
  | 'json';

/** The kind of each column by its name; with `!` it is never null. */
export type Columns = Readonly<Record<string, ColumnKind | `${ColumnKind}!`>>;

export function kindOf(columns: Columns, name: string): ColumnKind {
  const kind = columns[name]?.replace('!', '');
  if (kind === undefined || !isKind(kind)) throw new TypeError(`there is no column ${name}`);
  return kind;
}

export function isNullable(columns: Columns, name: string): boolean {
  return !columns[name]?.endsWith('!');
}

function isKind(text: string): text is ColumnKind {
  return Object.hasOwn(types, text);
}

/** One entry for each field, by its column; columns that a view derives from a field follow it. */
export function byColumn<Value>(
  table: Fields,
  make: (field: Field, column: string) => Value | null,
  after: Readonly<Record<string, Readonly<Record<string, Value>>>> = {},
): Record<string, Value> {
  const entries = Object.entries(table).flatMap(([name, field]) => {
    const column = columnOf(name);
    const value = make(field, column);
    return [...(value === null ? [] : [[column, value] as const]), ...Object.entries(after[column] ?? {})];
  });
  return Object.fromEntries(entries);
}

/** Names of the columns of fields, those with `!` that are never null. */
export function fieldColumns(table: Fields, after: Readonly<Record<string, string>> = {}): string {
  return Object.entries(table)
    .map(([name, { required, absent }]) => {
      const column = columnOf(name);
      const shown = required || absent !== undefined ? `${column}!` : column;
      return [shown, after[column] ?? ''].join(' ').trim();
    })
    .join(' ');
}

/** The type to which a value that travels as text is cast. */
const types: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  amount: 'numeric',
  moment: 'timestamptz',
  day: 'date',
  integer: 'bigint',
  boolean: 'boolean',
  seconds: 'interval',
  texts: 'text[]',
  json: 'jsonb',
};

/**
 * Names of the columns of a table, in its order, without those named, the account and the number of the
 * change.
 */
export function tableColumns(table: PgTable, ...without: readonly string[]): string {
  const hidden = ['account_id', 'change_id', ...without];
  return Object.values(getTableColumns(table))
    .filter(({ name }) => !hidden.includes(name))
    .map(({ name, notNull }) => (notNull ? `${name}!` : name))
    .join(' ');
}

/** The columns of a table, view or function that are shown; their kinds are those of the catalogue. */
export function columnsOf(view: string, names: string, kinds: Columns = {}): Columns {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((shown) => {
        const name = shown.replace('!', '');
        // The kind of a new column is known once the catalogue was read (npm run generate).
        const kind = kinds[name] ?? catalogue[`${view}.${name}`] ?? catalogue[name] ?? 'text';
        if (!isKind(kind)) throw new TypeError(`no kind of column is called ${kind}`);
        return [name, name === shown ? kind : `${kind}!`];
      }),
  );
}

/** The kind of the values of a type of PostgreSQL, by its name in the catalogue. */
export function kindOfType(type: string): ColumnKind {
  const name = sameTypes.get(type) ?? type;
  const kind = Object.keys(types).find((each) => isKind(each) && types[each] === name) ?? '';
  if (!isKind(kind)) throw new TypeError(`no kind of column has the type ${type}`);
  return kind;
}

/** The other names of some of them. */
const sameTypes = new Map([
  ['timestamp with time zone', types.moment],
  ['integer', types.integer],
]);

export function castTo(kind: ColumnKind, value: SQL): SQL {
  return sql`${value}::${sql.raw(types[kind])}`;
}

/**
 * Longer texts were stored before records had a budget. They are shown by length and digest, because every
 * reader would pay for them.
 */
const mostShown = sql.raw(String(2 ** 20));
/**
 * A value stored in fewer bytes is known to be short without reading it: compression takes at most 1 in 256,
 * and `1e400` is shown in 25 times its bytes.
 */
const surelyShort = sql.raw(String(2 ** 7));

type ForeignKind = 'text' | 'texts' | 'json';

function isForeign(kind: ColumnKind): kind is ForeignKind {
  return kind === 'text' || kind === 'texts' || kind === 'json';
}

const wholeText = (kind: ForeignKind, value: SQLWrapper) =>
  kind === 'text' ? sql`${value}` : sql`${value}::text`;

function isTooLong(kind: ForeignKind, value: SQLWrapper): SQL {
  const isLong = sql`octet_length(${wholeText(kind, value)}) > ${mostShown}`;
  return kind === 'text' ? isLong : sql`pg_column_size(${value}) > ${surelyShort} and ${isLong}`;
}

const digestOf = (text: SQL) => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** The text shown in the place of one that is too long. */
function notShown(kind: ForeignKind, value: SQLWrapper): SQL {
  const text = wholeText(kind, value);
  return sql`format('[too long: %s bytes with the SHA-256 %s, read them with SQL]', octet_length(${text}), ${digestOf(text)})`;
}

/** The value as it came from outside, unless it is too long. */
export function bounded(kind: ForeignKind, value: SQLWrapper): SQL {
  const text = wholeText(kind, value);
  const instead = {
    text: notShown(kind, value),
    texts: sql`array[${notShown(kind, value)}]`,
    json: sql`jsonb_build_object('not_shown', 'too long: read it with SQL', 'bytes', octet_length(${text}), 'sha256', ${digestOf(text)})`,
  }[kind];
  return sql`(case when ${isTooLong(kind, value)} then ${instead} else ${value} end)`;
}

/** The value in the form that `row_to_json` needs. */
export function jsonValue(kind: ColumnKind, value: SQL): SQL {
  switch (kind) {
    case 'text':
    case 'texts':
    case 'json':
      return bounded(kind, value);
    case 'amount':
      return sql`${value}::text`;
    case 'moment':
      return shownMoment(value);
    case 'day':
      return sql`to_char(${value}, 'YYYY-MM-DD')`;
    case 'seconds':
      return sql`round(extract(epoch from ${value}), 3)`;
    default:
      return value;
  }
}

/** The value as text, exact; null stays null. */
export function cellText(kind: ColumnKind, value: SQL): SQL {
  return asText(kind, jsonValue(kind, value));
}

function asText(kind: ColumnKind, shown: SQL): SQL {
  if (kind === 'text') return shown;
  return kind === 'texts' ? sql`array_to_json(${shown})::text` : sql`${shown}::text`;
}

/**
 * The cell as text after RFC 4180; a null is an empty cell, an empty text a pair of quotes. Text is guarded
 * against formulas. Amounts and moments are not text: -1.5 stays -1.5.
 */
export function csvCell(kind: ColumnKind, value: SQL): SQL {
  if (!isForeign(kind)) return sql`coalesce(${cellText(kind, value)}, '')`;
  // The guard looks at the text several times.
  const cell = sql`replace(${guardedText(asText(kind, value))}, '"', '""')`;
  const shown = sql`case when ${isTooLong(kind, value)} then ${notShown(kind, value)} else ${cell} end`;
  return sql`coalesce('"' || ${shown} || '"', '')`;
}

// The condition that a text column of transactions equals a value, found by the index of digests
// (drizzle/transactions.ts).

interface Equal {
  readonly account: string;
  readonly column: FilterColumn;
  readonly value: string;
}

/**
 * The digest finds the rows, and the text decides. It is compared by the function of the operator `=`,
 * because the planner would count a second condition of known selectivity once more, and expect too few rows.
 *
 * @param columns of the table or view that is read
 */
export function digestFilter(columns: Record<FilterColumn | 'accountId', SQLWrapper>): (equal: Equal) => SQL {
  const keys = filterKeys(columns);
  return ({ account, column, value }) => {
    const key = filterKey(sql`${account}::text`, column, sql`${value}::text`);
    return sql`${keys} @> array[${key}] and texteq(${columns[column]}, ${value})`;
  };
}

/** A vault is the source or the destination. */
export function ofVault(
  columns: Record<FilterColumn | 'accountId', SQLWrapper>,
  account: string,
  id: string,
): SQL {
  const keys = (['sourceId', 'destinationId'] as const).map((column) =>
    filterKey(sql`${account}::text`, column, sql`${id}::text`),
  );
  return sql`${filterKeys(columns)} && array[${sql.join(keys, sql`, `)}]
    and (texteq(${columns.sourceId}, ${id}) or texteq(${columns.destinationId}, ${id}))`;
}
