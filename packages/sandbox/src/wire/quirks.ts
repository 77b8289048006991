// Quirks: the inconsistencies of the published shapes (section 2.5), and worse ones, each with a switch.
// Invariant: whether a record has a quirk depends on the seed, the quirk and the id of the record, so a
// record looks the same at every read.
import { hashText, hashUnit } from '../values/random.ts';

/** Every quirk, by the name used in options and on the command line. */
export const quirkNames = [
  // Section 2.5: id for transaction_id, vault_id for source_id, stakepool; section 7.2: changepool.
  'id',
  'vault-id',
  'stakepool',
  'changepool',
  // Section 2.7: balances described as an array of objects.
  'balances-array',
  // Amounts as JSON numbers with all their digits.
  'numeric-amounts',
  // Changes that a later version of the interface may bring.
  'unknown-fields',
  'unknown-status',
  'unknown-type',
  // Text that is valid JSON and that PostgreSQL cannot store.
  'nul-note',
  'surrogate-note',
  // Records that cannot be decoded.
  'nan-amount',
  'missing-id',
  'string-record',
] as const;

export type Quirk = (typeof quirkNames)[number];

/** The records that have a quirk: all, a share of them (`mixed` is half), or the named ones. */
type QuirkSetting = boolean | number | 'mixed' | readonly string[];

/** The switches. The member `mixed` limits each quirk that is `true` to half of the records. */
export type QuirkSettings = { readonly [name in Quirk]?: QuirkSetting } & { readonly mixed?: boolean };

/** The quirks of records. */
export interface Quirks {
  /** True when a record may have a quirk. */
  readonly active: boolean;
  has(quirk: Quirk, recordId: string): boolean;
  /** The quirks of one record. */
  of(recordId: string): Quirk[];
}

export function createQuirks(settings: QuirkSettings, seed: number): Quirks {
  const whole = settings.mixed === true ? 0.5 : 1;
  const rates = new Map<Quirk, number>();
  const named = new Map<Quirk, ReadonlySet<string>>();
  for (const quirk of quirkNames) {
    const setting = settings[quirk] ?? false;
    if (setting === true) rates.set(quirk, whole);
    else if (setting === 'mixed') rates.set(quirk, 0.5);
    else if (typeof setting === 'number') rates.set(quirk, setting);
    else if (setting !== false) named.set(quirk, new Set(setting));
  }
  const has = (quirk: Quirk, recordId: string): boolean => {
    const rate = rates.get(quirk);
    if (rate === undefined) return named.get(quirk)?.has(recordId) ?? false;
    return rate >= 1 || hashUnit(seed, hashText(recordId), quirkNames.indexOf(quirk)) < rate;
  };
  return {
    active: rates.size + named.size > 0,
    has,
    of: (recordId) => quirkNames.filter((quirk) => has(quirk, recordId)),
  };
}

/**
 * Reads switches from text such as `id,stakepool=0.3,mixed` or `nan-amount=<id>+<id>`.
 * @throws RangeError naming the bad item and the known quirks
 */
export function parseQuirks(text: string): QuirkSettings {
  const settings: { -readonly [name in Quirk]?: QuirkSetting } & { mixed?: boolean } = {};
  for (const item of text.split(',').map((part) => part.trim())) {
    if (item === '') continue;
    const [name = '', value] = item.split('=', 2);
    if (name === 'mixed') settings.mixed = true;
    else if (!isQuirk(name))
      throw new RangeError(`unknown quirk "${item}"; the quirks are: mixed, ${quirkNames.join(', ')}`);
    else settings[name] = readSetting(item, value);
  }
  return settings;
}

function readSetting(item: string, value: string | undefined): QuirkSetting {
  if (value === undefined || value === 'true') return true;
  if (value === 'mixed') return 'mixed';
  if (/^(?:0|1|0?\.\d+|[01]\.\d+)$/.test(value)) {
    const rate = Number(value);
    if (rate <= 1) return rate;
  }
  if (/^[\d.]*$/.test(value)) throw new RangeError(`bad rate in quirk "${item}": it must be from 0 to 1`);
  return value.split('+');
}

function isQuirk(name: string): name is Quirk {
  return quirkNames.some((quirk) => quirk === name);
}
