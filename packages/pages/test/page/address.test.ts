// The address of a page as it is shared: without empty fields, with moments in UTC, and the same however
// often it is made so.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathValues } from '../../../../src/api/answer/parameters.ts';
import { amount, moment, momentOrDay, text } from '../../../../src/store/read-api/list/parameter-kinds.ts';
import { sharedSearch } from '../../src/page/address.ts';

const parameters = {
  at: moment('When.'),
  asset_id: text('Which.', 'BTC'),
  amount_from: amount('How much.'),
  _ga: text('A parameter of the page.', ''),
};
const zone = 'Pacific/Auckland';
const shared = (search: string) => sharedSearch(search, parameters, zone);

test('what a form sends becomes an address that means the same to everybody', () => {
  expect(shared('?at=2026-01-01T00%3A00&asset_id=')).toBe('?at=2025-12-31T11%3A00%3A00Z');
  expect(shared('?at=2026-01-01&asset_id=+BTC+')).toBe('?at=2025-12-31T11%3A00%3A00Z&asset_id=BTC');
  expect(shared('?at=&asset_id=')).toBe('');
  // A moment that no calendar holds stays for the check, which names it.
  expect(shared('?at=2026-02-30T00:00')).toBe(null);
});

test('what mails and advertising put behind a link is dropped; a slip stays for the check, which names it', () => {
  expect(shared('?utm_source=mail&asset_id=BTC&fbclid=x&utm_Campaign=&gclid=1&msclkid=2&_gl=3')).toBe(
    '?asset_id=BTC',
  );
  for (const search of ['?statu=pending', '?utmsource=mail', '?_ga=of+the+page', '?asset_id=utm_source'])
    expect([search, shared(search)]).toEqual([search, null]);
});

test('an amount as pages write it is the number; what may be another number is left for the check', () => {
  expect(shared('?amount_from=12,345.67')).toBe('?amount_from=12345.67');
  expect(shared('?amount_from=-1%2C000%2C000')).toBe('?amount_from=-1000000');
  for (const text of ['0,123', '1,00', '1.000,5', '1,2345', '1000'])
    expect(shared(`?amount_from=${text}`)).toBe(null);
  expect(shared('?asset_id=1,000')).toBe(null);
});

test('a moment that a form was filled with and nobody changed stays what it was, to the microsecond and in the hour that comes twice', () => {
  const sent = (local: string, was: string) =>
    shared(`?${new URLSearchParams({ 'at.was': was, at: local, asset_id: 'BTC' })}`);
  // The clocks of Auckland go back on 2026-04-05: 02:30 is at 13:30 and at 14:30 UTC.
  for (const [local, was] of [
    ['2026-04-05T02:30', '2026-04-04T14:30:00Z'],
    ['2026-01-01T00:00:05', '2025-12-31T11:00:05.123456Z'],
    ['2026-01-01T00:00', '2025-12-31T12:00:00+01:00'],
  ] as const)
    expect(new URLSearchParams(sent(local, was) ?? '').get('at')).toBe(was);
  expect(sent('2026-04-05T02:31', '2026-04-04T14:30:00Z')).toBe('?at=2026-04-04T13%3A31%3A00Z&asset_id=BTC');
  expect(sent('', '2026-04-04T14:30:00Z')).toBe('?asset_id=BTC');
  expect(sent('2026-04-05T02:30', 'no moment')).toBe('?at=2026-04-04T13%3A30%3A00Z&asset_id=BTC');
});

test('a day stands for its close where a day may be asked for, unless the field is changed', () => {
  const days = { at: momentOrDay('When.'), asset_id: text('Which.', 'BTC') };
  const search = (given: Record<string, string>) =>
    sharedSearch(`?${new URLSearchParams(given)}`, days, 'UTC', {
      day: '2026-01-01',
      starts_at: '2025-12-31T11:00:00.000000Z',
      ends_at: '2026-01-01T11:00:00.000000Z',
      time_zone: zone,
    });
  expect(search({ at: '2026-01-01' })).toBe(null);
  // The last second of the day in Auckland, as the field shows it in UTC.
  expect(search({ 'at.was': '2026-01-01', at: '2026-01-01T10:59:59' })).toBe('?at=2026-01-01');
  expect(search({ 'at.was': '2026-01-01', at: '2026-01-01T10:59:58' })).toBe('?at=2026-01-01T10%3A59%3A58Z');
});

test('an address that has this form already is left alone', () => {
  for (const search of [
    '',
    '?at=2025-12-31T11:00:00Z',
    '?asset_id=BTC',
    '?asset_id=2026-01-01',
    '?other=x',
    '?at=now',
  ])
    expect([search, shared(search)]).toEqual([search, null]);
});

test('made once, the form is stable, and no value is lost but blanks around it', () => {
  const pairs = fc.array(
    fc.tuple(fc.constantFrom('at', 'asset_id', 'x', '__proto__'), fc.string({ unit: 'grapheme' })),
  );
  fc.assert(
    fc.property(pairs, (given) => {
      const search = `?${new URLSearchParams(given as [string, string][])}`;
      const once = shared(search) ?? search;
      expect(shared(once)).toBe(null);
      const values = [...new URLSearchParams(once)].filter(([name]) => name !== 'at');
      expect(values).toEqual(
        given
          .map(([name, value]) => [name, value.trim()])
          .filter(([name, value]) => name !== 'at' && value !== ''),
      );
    }),
  );
});

test('values of the path stay encoded', () => {
  expect(pathValues('/balances/assets/:asset_id', '/balances/assets/a%2Fb%20c')).toEqual({
    asset_id: 'a%2Fb%20c',
  });
});
