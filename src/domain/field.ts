// Describes a field of a mirrored record (the tables are in fields.ts), and derives from it the type of its
// value, its path in the record, and the name of its column.
import type { Decimal } from './decimal.ts';

export interface Field {
  /** `identity` identifies something: refused if PostgreSQL could store it only in another form. */
  readonly kind: 'identity' | 'text' | 'amount' | 'moment';
  /** Its path in the record: names of members, joined with dots. */
  readonly path: string;
  /** Aliases of its member, in the order in which they are tried. */
  readonly aliases?: readonly string[];
  /** A record without it cannot be decoded. */
  readonly required?: true;
  /** Its value in a record that lacks it; null by default. */
  readonly absent?: string;
  /** It changes while the record stays the same, so it cannot identify a record that has no id. */
  readonly varies?: true;
  /** The documented values. Any other text is kept and reported. */
  readonly values?: readonly string[];
  /** A spelling of one of them that a sample or an error message uses. */
  readonly spelling?: { readonly sent: 'changepool' | 'stakepool'; readonly meant: string };
  /** Readers may filter records by it. */
  readonly filter?: FieldFilter;
}

export interface FieldFilter {
  /** For people. */
  readonly says: string;
  readonly example: string;
  /** Its number in the index of digests (drizzle/transactions.ts). It never changes; a new one is next. */
  readonly digest?: number;
}

export type Fields = Readonly<Record<string, Field>>;

/** The values of the fields. Null: the record named no value, or an amount was empty. */
export type Values<Table extends Fields> = { readonly [Name in keyof Table]: Value<Table[Name]> };
type Value<One extends Field> = One['kind'] extends 'amount'
  ? Decimal | null
  : One extends { readonly required: true } | { readonly absent: string }
    ? string
    : string | null;

/** Names of the fields of one kind. */
export type NamesOf<Table extends Fields, Like> = {
  [Name in keyof Table]: Table[Name] extends Like ? Name : never;
}[keyof Table];

/** The member that holds the field, and that of the object around it; that is empty for the record itself. */
export function placeOf({ path }: Field): { readonly holder: string; readonly name: string } {
  const cut = path.lastIndexOf('.');
  return { holder: path.slice(0, Math.max(0, cut)), name: path.slice(cut + 1) };
}

/** Every path in the record that the field is read from. */
export function pathsOf(field: Field): readonly string[] {
  const { holder, name } = placeOf(field);
  return [name, ...(field.aliases ?? [])].map((each) => (holder === '' ? each : `${holder}.${each}`));
}

/** The column of a field, and its name in the read API: `destination_memo` of `destinationMemo`. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Names of the fields of a table, in its order. */
export function namesOf<Table extends Fields>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table);
}
