// Reads the fields of a record as the table of its kind says (domain/fields.ts). The readers are built once
// at startup: a first sweep decodes millions of records.
import { type Field, type Fields, placeOf, type Values } from '../../domain/fields.ts';
import type { JsonObject } from '../../domain/json.ts';
import { type Reading, readAmount, readIdentity, readText, readTimestamp, Undecodable } from './fields.ts';
import type { Deviation } from './tolerance.ts';

type ReadField = (object: JsonObject, reading: Reading) => string | null;

const kinds = { identity: readIdentity, text: readText, amount: readAmount, moment: readTimestamp };

/**
 * Field names that occur only in the published samples. The field names of documents are not published at
 * all.
 */
const aliasDeviations: ReadonlyMap<string, Deviation> = new Map([
  ['id', 'id-alias'],
  ['vault_id', 'vault-id-alias'],
]);

/** The objects within a record that hold fields, by their paths. */
export type Holders = Readonly<Record<string, JsonObject>>;

/**
 * Builds the reader of all fields of a table: first those of the record itself, then those of nested objects.
 *
 * @param open finds these objects
 * @param others names of further members, whose values are given with each record
 * @param makeReader makes the reader of one field
 */
export function tableReader<Table extends Fields, Other extends string = never>(
  table: Table,
  open: (record: JsonObject, reading: Reading) => Holders,
  others: readonly Other[] = [],
  makeReader: (field: Field) => ReadField = fieldReader,
): (
  record: JsonObject,
  reading: Reading,
  given: Readonly<Record<Other, string>>,
) => Values<Table> & Readonly<Record<Other, string>> {
  const fields = Object.entries<Field>(table).map(([name, field]) => ({
    name,
    holder: placeOf(field).holder,
    read: makeReader(field),
  }));
  const own = fields.filter(({ holder }) => holder === '');
  const nested = fields.filter(({ holder }) => holder !== '');
  // A copy of a JSON.parse result has a slot for each member. An object that grows member by member becomes a
  // hash table, which costs more than all the decoding.
  const members = [...fields.map(({ name }) => name), ...others].map((name) => [name, null]);
  const empty: Record<string, string | null> = JSON.parse(JSON.stringify(Object.fromEntries(members)));
  return (record, reading, given) => {
    const values = { ...empty };
    for (const { name, read } of own) values[name] = read(record, reading);
    const holders = open(record, reading);
    for (const { name, holder, read } of nested) values[name] = read(holders[holder] ?? {}, reading);
    for (const name of others) values[name] = given[name];
    // Each field of the table was read by its kind, and nothing else is in it but what was given.
    return values as Values<Table> & Readonly<Record<Other, string>>;
  };
}

/** The reader throws `Undecodable` where a required field is absent or empty. */
export function fieldReader(field: Field): ReadField {
  const { kind, aliases = [], required = false, spelling, absent = null } = field;
  const { name } = placeOf(field);
  const read = kinds[kind];
  const isGiven = (value: string | null) => value !== null && !(required && value === '');
  return (object, reading) => {
    let value = read(object, name, reading);
    for (const alias of aliases) {
      if (isGiven(value)) break;
      value = read(object, alias, reading);
      const deviation = aliasDeviations.get(alias);
      if (deviation !== undefined && isGiven(value)) reading.tolerate(deviation);
    }
    if (required && !isGiven(value)) throw new Undecodable(`the record has no ${name}`);
    if (value === spelling?.sent) {
      reading.tolerate(spelling.sent);
      return spelling.meant;
    }
    return value ?? absent;
  };
}

/** For records that are not documented: reads the first of the names that has a text. */
export function firstTextReader(field: Field): ReadField {
  const names = [placeOf(field).name, ...(field.aliases ?? [])];
  return (object, reading) => {
    const name = names.find((each) => typeof object[each] === 'string');
    return name === undefined ? null : kinds[field.kind](object, name, reading);
  };
}

/** The names of the fields that identify a record without an id, and of the objects that hold them. */
export function lastingNames(...tables: readonly Fields[]): readonly string[] {
  const lasting = tables.flatMap((table) => Object.values(table)).filter(({ varies }) => !varies);
  return lasting.flatMap(({ path, aliases = [] }) => [...path.split('.'), ...aliases]);
}
