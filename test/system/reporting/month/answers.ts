// How an expectation is written, and held against what is answered. Nothing may be told before it was
// observed, and what was observed must be told: an entry has both.
import { expect } from 'vitest';
import { differences, none } from '../../../support/differences.ts';
import type { Row } from './questions.ts';
import { type Moment, moments } from './world.ts';

export const order = Object.keys(moments) as Moment[];
const placeOf = (moment: Moment) => order.indexOf(moment);
/** Whatever cannot be read from then on is of no asset that is known. */
export const fromStranger: readonly Moment[] = order.slice(placeOf('stranger unreadable'));

/** One figure, at each of the moments in turn. */
export interface Figures {
  readonly each: readonly unknown[];
}

/** Rows, as the values of some columns. */
export interface Rows {
  /**
   * Nothing is told before this moment, and something from it on, until the next that is named in `silent`.
   */
  readonly from: Moment | 'never';
  /** Moments after that at which there is nothing to tell. */
  readonly silent?: readonly Moment[];
  readonly columns?: readonly string[];
  /** In whatever order. */
  readonly at?: Readonly<Partial<Record<Moment, readonly (readonly unknown[])[]>>>;
}

export type Entry = Figures | Rows;

export function check(name: string, entry: Entry, moment: Moment, rows: readonly Row[]): void {
  const where = `${name}, at: ${moment}`;
  if ('each' in entry) {
    expect(entry.each, `${name}: one figure for each moment`).toHaveLength(order.length);
    const [told = null] = Object.values(rows[0] ?? {});
    expect.soft(plain(told), where).toEqual(plain(entry.each[placeOf(moment)]));
    return;
  }
  const { from, silent = [], columns = [], at = {} } = entry;
  const isEarly = from === 'never' || placeOf(moment) < placeOf(from);
  const tells = rows.some((row) => Object.values(row).some((value) => value !== null));
  const shown = JSON.stringify(rows.slice(0, 3)).slice(0, 300);
  expect.soft(tells, `${where}: ${shown}`).toBe(!isEarly && !silent.includes(moment));
  const expected = at[moment];
  if (expected === undefined) return;
  const named = (values: readonly unknown[]) =>
    Object.fromEntries(columns.map((column, place) => [column, plain(values[place])]));
  const found = rows.map((row) => named(columns.map((column) => row[column])));
  expect.soft(differences(found, expected.map(named)), where).toEqual(none);
}

/** Numbers to twelve digits, however they are written; days and moments as ISO 8601. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  return isNumber ? Number(Number(value).toPrecision(12)) : (value ?? null);
}

/** Every question has its entry, and every entry its question. */
export function expectComplete(questions: Iterable<string>, entries: object): void {
  expect(Object.keys(entries).toSorted()).toEqual([...questions].toSorted());
}
