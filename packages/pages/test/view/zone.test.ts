// Local times against an independent method: the nearest moments whose local time, written by Intl in another
// form, is the one wanted.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLocalTime, localTime, momentOf } from '../../src/view/moments.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'America/Havana',
  'America/Santiago',
  'Asia/Beirut',
] as const;

/** The same local time by another way: the Swedish form, which is that of ISO but for the blank. */
const swedes = new Map<string, Intl.DateTimeFormat>(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
);

function swedish(ms: number, zone: string): string {
  return (swedes.get(zone)?.format(ms) ?? '').replace(' ', 'T');
}

const fromMs = Date.parse('1971-01-01T00:00:00Z');
const toMs = Date.parse('2037-12-31T00:00:00Z');
const moments = fc.integer({ min: fromMs / 1000, max: toMs / 1000 }).map((seconds) => seconds * 1000);
const anyZone = fc.constantFrom(...zones);

test('a moment is written in a zone as another formatter writes it', () => {
  fc.assert(
    fc.property(moments, anyZone, (ms, zone) => {
      expect(localTime(new Date(ms).toISOString(), zone)).toBe(swedish(ms, zone));
    }),
    { numRuns: 300 },
  );
});

test.each([
  // Midnight is skipped: the day begins at 01:00.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z'],
  // The hour before midnight, or midnight itself, comes twice.
  ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00Z'],
  ['Asia/Beirut', '2026-10-25', '2026-10-24T22:00:00Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00Z'],
  ['America/New_York', '2027-01-01', '2027-01-01T05:00:00Z'],
])('in %s %s begins at %s', (zone, day, expected) => {
  expect(momentOf(day, zone)).toBe(expected);
});

test('a local time leads back to its moment, or where clocks go back to the first of the two', () => {
  fc.assert(
    fc.property(moments, anyZone, (ms, zone) => {
      const back = Date.parse(momentOf(swedish(ms, zone), zone) ?? '');
      expect(swedish(back, zone)).toBe(swedish(ms, zone));
      expect(back).toBeLessThanOrEqual(ms);
      // No earlier moment of the last three hours has this local time.
      for (let step = 1; step <= 12; step += 1)
        expect(swedish(back - step * 900_000, zone)).not.toBe(swedish(ms, zone));
    }),
    { numRuns: 200 },
  );
});

test.each([
  // Clocks go back: the first of the two.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
  ['2026-04-05T02:30', 'Pacific/Auckland', '2026-04-04T13:30:00Z'],
  ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00Z'],
  // Clocks go forward: as much later as they skip.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
  ['2026-09-27T02:30', 'Pacific/Auckland', '2026-09-26T14:30:00Z'],
  ['2026-10-04T02:10', 'Australia/Lord_Howe', '2026-10-03T15:40:00Z'],
  // A day begins with its first moment, at year's end too, and where midnight is skipped.
  ['2026-01-01', 'Pacific/Auckland', '2025-12-31T11:00:00Z'],
  ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00Z'],
  ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00Z'],
  // A day that a zone left out: it went from the 29th to the 31st.
  ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00Z'],
] as const)('%s in %s is %s', (text, zone, moment) => {
  expect(momentOf(text, zone)).toBe(moment);
});

test('what no calendar holds is no moment, and text that is no local time is recognised', () => {
  for (const text of ['2026-02-29', '2026-13-01', '2026-01-01T24:00', '2026-01-01T10:60', '2026-04-31T00:00'])
    expect([text, isLocalTime(text), momentOf(text, 'UTC')]).toEqual([text, true, null]);
  for (const text of ['', '2026', '2026-01-01T10:00Z', '2026-01-01T10:00:00.5', '2026-1-1', ' 2026-01-01'])
    expect([text, isLocalTime(text), momentOf(text, 'UTC')]).toEqual([text, false, null]);
});

test('a moment that no date can be made of stays as it is, so that a page can show it', () => {
  expect(localTime('55840-11-20T06:32:00.000000Z', 'Pacific/Auckland')).toBe('55840-11-20T06:32:00.000000Z');
});
