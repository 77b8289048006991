// The windows in which a page is looked for: nested, and none wider than what the filters leave.
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { balanceHistory } from '../../../src/store/reading/balances/balances.ts';
import { timeWindows } from '../../../src/store/reading/list/time-windows.ts';

const dialect = new PgDialect();
const windows = (
  order: string,
  filters: Readonly<Record<string, string>>,
  from: readonly string[] | null = null,
): readonly (readonly unknown[])[] =>
  timeWindows(balanceHistory, { account: 'acme', at: null, filters, order }, from).map(
    (window) => dialect.sqlToQuery(window).params,
  );

test('each window is wider than the one before, from the bound that is nearer, and the last one is everything', () => {
  expect(windows('-changed_at', { changed_to: '2026-03-01T00:00:00Z' })).toEqual([
    ['2026-02-28T00:00:00.000Z'],
    ['2026-02-25T00:00:00.000Z'],
    ['2026-02-13T00:00:00.000Z'],
    ['2025-12-27T00:00:00.000Z'],
    ['2025-06-18T00:00:00.000Z'],
    [],
  ]);
  expect(windows('-changed_at', { changed_to: '2026-03-01T00:00:00Z' }, ['2026-02-02T00:00:00Z'])[0]).toEqual(
    ['2026-02-01T00:00:00.000Z'],
  );
  expect(
    windows('changed_at', { changed_from: '2026-01-01T00:00:00Z' }, ['2026-02-02T00:00:00Z'])[0],
  ).toEqual(['2026-02-03T00:00:00.000Z']);
});

test('a window that would reach beyond the other bound is left to the last one', () => {
  const within = { changed_from: '2026-02-27T00:00:00Z', changed_to: '2026-03-01T00:00:00Z' };
  expect(windows('-changed_at', within)).toEqual([['2026-02-28T00:00:00.000Z'], []]);
  expect(windows('changed_at', within)).toEqual([['2026-02-28T00:00:00.000Z'], []]);
});

test('the first changes are looked for from when the account was first seen', () => {
  expect(windows('changed_at', {})).toEqual([
    ...['1 days', '4 days', '16 days', '64 days', '256 days'].map((length) => ['acme', length]),
    [],
  ]);
});

test('a cursor that names no moment bounds nothing: the database refuses it', () => {
  expect(windows('changed_at', {}, ['x'])).toEqual(windows('changed_at', {}));
});
