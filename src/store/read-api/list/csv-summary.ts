// The summary at the end of a CSV, for people: how many rows, which filters, as of when, and what adds up. It
// is gathered while the rows go by, so that nothing is read twice.
import { addDecimals, parseDecimal, withoutZeros } from '../../../domain/decimal.ts';
import { guardFormulas } from './formula-guard.ts';
import type { Listing, Selection } from './listing.ts';

export interface CsvSummary {
  /** One row: the amounts to add up, then the values that must be equal. */
  add(cells: readonly (string | null)[]): void;
  /** The lines, after an empty one, each with its line break. */
  end(): string;
}

/** More sums than a person reads: none is reported then, and memory stays small. */
const mostGroups = 1_000;

interface Group {
  readonly alike: readonly (string | null)[];
  /** Null as soon as one amount is unknown: then so is the sum. */
  readonly sums: (string | null)[];
  readonly unknown: number[];
}

/** @param readAt when the answer was made, RFC 3339 */
export function startSummary(listing: Listing, selection: Selection, readAt: string): CsvSummary {
  const { of, by } = listing.sums ?? { of: [], by: [] };
  const groups = new Map<string, Group>();
  let rows = 0;
  return {
    add(cells) {
      rows += 1;
      if (of.length === 0) return;
      const alike = cells.slice(of.length);
      const key = JSON.stringify(alike);
      let group = groups.get(key);
      if (group === undefined) {
        if (groups.size > mostGroups) return;
        group = { alike, sums: of.map(() => '0'), unknown: of.map(() => 0) };
        groups.set(key, group);
      }
      for (const index of of.keys()) addTo(group, index, cells[index] ?? null);
    },
    end: () =>
      [
        [],
        ['Rows', rows],
        ['Account', selection.account],
        ...Object.entries(selection.filters).map(([name, value]) => [`Filter ${name}`, value]),
        ['Order', selection.order],
        ...(selection.at === null ? [] : [['As of', selection.at]]),
        ['Read', readAt],
        ...totals(of, by, groups),
      ]
        .map((cells) => `${cells.map(cell).join(',')}\r\n`)
        .join(''),
  };
}

function addTo({ sums, unknown }: Group, index: number, amount: string | null): void {
  const sum = sums[index] ?? null;
  if (amount === null) unknown[index] = (unknown[index] ?? 0) + 1;
  sums[index] = amount === null || sum === null ? null : added(sum, amount);
}

/** Both as PostgreSQL writes a numeric; the sum has no zeros at its end. */
function added(...amounts: readonly string[]): string {
  const parts = amounts.flatMap((amount) => parseDecimal(amount)?.value ?? []);
  return withoutZeros(addDecimals(parts));
}

/**
 * Such as `"Total inflow",12.5,"asset_id","BTC"`; the sum of which a part is unknown is an empty cell, and
 * the line says why.
 */
function totals(
  of: readonly string[],
  by: readonly string[],
  groups: ReadonlyMap<string, Group>,
): readonly (readonly Cell[])[] {
  if (groups.size > mostGroups) return [['Totals', `left out: more than ${mostGroups} different ones`]];
  return [...groups.values()].flatMap(({ alike, sums, unknown }) =>
    of.map((name, index): Cell[] => [
      `Total ${name}`,
      { amount: sums[index] ?? null },
      ...by.flatMap((column, place) => [column, alike[place] ?? null]),
      ...(unknown[index] === 0 ? [] : ['rows of unknown amount', unknown[index] ?? 0]),
    ]),
  );
}

type Cell = string | number | null | { readonly amount: string | null };

/** As csvCell() writes them. */
function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.amount ?? '';
  return `"${guardFormulas(value).replaceAll('"', '""')}"`;
}
