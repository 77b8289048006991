// Whether figures level out over a soak: what one stretch of time holds against another. Invariant: rows that
// stay may take room, and nothing else may.
import { expect } from 'vitest';
import {
  type DatabaseFigures,
  type Measure,
  mostConnections,
  type ProcessFigures,
  type Sample,
} from './figures.ts';

const megabyte = 1024 * 1024;

const room: Readonly<Record<Measure, number>> = {
  heapBytes: 8 * megabyte,
  residentBytes: 24 * megabyte,
  handles: 8,
  openFiles: 8,
  lagSeconds: 15,
};

/** So few samples of a role show nothing. */
const fewest = 4;

type Who = 'steady' | 'other';

interface Stretches {
  readonly who: Who;
  readonly writes: boolean;
  readonly before: readonly Sample[];
  readonly last: readonly Sample[];
}

/** What is held in the last third is about what was held before. @param since the third that it is held to */
export function expectLevel(samples: readonly Sample[], since: 'first' | 'middle'): void {
  const { last, ...earlier } = thirds(samples);
  const before = earlier[since];
  for (const who of ['steady', 'other'] as const)
    for (const writes of [true, false]) expectLevelIn({ who, writes, before, last });
  const [from, to] = [before.at(-1)?.database, last.at(-1)?.database];
  if (from === undefined || to === undefined) throw new Error('nothing was measured');
  expectExplained(from, to);
}

/** A daemon that writes holds more than one that stands by: each is compared with one in the same role. */
function expectLevelIn({ who, writes, before, last }: Stretches): void {
  const inRole = (some: readonly Sample[], whose: Who) =>
    some.map((sample) => sample[whose]).filter((figures) => figures.writes === writes);
  const later = inRole(last, who);
  // Over minutes the lease changes hands so seldom that the other one may have had the role before.
  const earlier = [inRole(before, who), inRole(before, who === 'steady' ? 'other' : 'steady')].find(
    ({ length }) => length >= fewest,
  );
  if (earlier === undefined || later.length < fewest) return;
  for (const [name, more] of Object.entries(room)) {
    const of = (some: readonly ProcessFigures[]) => lowerQuartile(some.map((one) => figureOf(one, name)));
    const role = writes ? 'writing' : 'standing by';
    expect(of(later), `${name} of the ${who} daemon, ${role}, goes on growing`).toBeLessThanOrEqual(
      of(earlier) * 1.15 + more,
    );
  }
}

/** The tables grow with their rows, and the database with its tables. */
function expectExplained(before: DatabaseFigures, after: DatabaseFigures): void {
  for (const [name, { bytes, rows }] of Object.entries(after.tables)) {
    const was = before.tables[name];
    if (was === undefined) throw new Error(`${name} was not there`);
    const grown = Math.max(1, rows / Math.max(1, was.rows));
    expect(bytes, `${name} grows beyond its rows`).toBeLessThanOrEqual(was.bytes * grown * 1.25 + megabyte);
  }
  const more = 6 * megabyte + 4_096 * (rowsOf(after) - rowsOf(before));
  expect(after.bytes - before.bytes, 'the database grows beyond its rows').toBeLessThanOrEqual(more);
}

export function expectBounded(samples: readonly Sample[]): void {
  for (const { steady, other, database } of samples) {
    for (const { connections } of [steady, other])
      for (const [pool, most] of Object.entries(mostConnections))
        expect(connections[pool], `connections of the pool ${pool}`).toBeLessThanOrEqual(most);
    // Of two daemons, and of one that was killed just before.
    expect(database.sessions['custody-mirror'] ?? 0).toBeLessThanOrEqual(10);
  }
}

/** The figures of each third, for people. */
export function summaryOf(samples: readonly Sample[]) {
  const told = (some: readonly Sample[]) => ({
    ...Object.fromEntries(
      (['steady', 'other'] as const).map((who) => [
        who,
        Object.fromEntries(
          Object.keys(room).map((name) => {
            const value = lowerQuartile(some.map((sample) => figureOf(sample[who], name)));
            return [name, name.endsWith('Bytes') ? `${Math.round(value / megabyte)} MiB` : value];
          }),
        ),
      ]),
    ),
    ...totals(some.at(-1)?.database),
  });
  const { first, middle, last } = thirds(samples);
  return { first: told(first), middle: told(middle), last: told(last) };
}

function totals(database: DatabaseFigures | undefined) {
  if (database === undefined) return {};
  const { bytes, sessions, tables } = database;
  const dead = Object.values(tables).reduce((sum, table) => sum + table.dead, 0);
  const sessionCount = Object.values(sessions).reduce((sum, count) => sum + count, 0);
  return { megabytes: Math.round(bytes / megabyte), rows: rowsOf(database), dead, sessions: sessionCount };
}

function rowsOf({ tables }: DatabaseFigures): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
}

function figureOf(figures: ProcessFigures, name: string): number {
  return Number(Object.entries(figures).find(([key]) => key === name)?.[1]);
}

/**
 * The value that a quarter of them stays below: what lies above may be garbage that was not yet collected.
 */
function lowerQuartile(values: readonly number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN;
}

/** In the order of time. */
function thirds<Value>(values: readonly Value[]) {
  const third = Math.floor(values.length / 3);
  return {
    first: values.slice(0, third),
    middle: values.slice(third, 2 * third),
    last: values.slice(2 * third),
  };
}
