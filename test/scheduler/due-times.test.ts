// When schedules come due around changes of the clocks, against lists written by hand and against a count of
// local times, second by second, by another formatter; and when jobs begin while the wall clock is stepped.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAlarm, createDueTimes } from '../../src/scheduler/due-times.ts';
import { sized } from '../support/form.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The moments from which on it is due, asked every `stepMs`. */
function dueTimes(expression: string, zone: string, from: number, to: number, stepMs = 1000): number[] {
  const isDue = createDueTimes({ expression, timezone: zone });
  const found: number[] = [];
  for (let ms = from; ms < to; ms += stepMs) if (isDue(ms - stepMs, ms)) found.push(ms);
  return found;
}

const times = (found: readonly number[]) => found.map((ms) => new Date(ms).toISOString().slice(0, 16));

/** Changes of the clocks, the hours around them, and the times at which schedules come due meanwhile. */
test.each([
  // New York: 02:00 becomes 03:00 at 07:00Z, and 02:00 becomes 01:00 at 06:00Z.
  ['America/New_York', '30 2 * * *', '2026-03-07T12:00Z', 48, ['2026-03-08T07:00', '2026-03-09T06:30']],
  ['America/New_York', '30 1 * * *', '2026-10-31T12:00Z', 48, ['2026-11-01T05:30', '2026-11-02T06:30']],
  ['America/New_York', '0 1,13 * * *', '2026-11-01T00:00Z', 24, ['2026-11-01T05:00', '2026-11-01T18:00']],
  ['America/New_York', '0 * * * *', '2026-11-01T04:30Z', 4, ['05:00', '06:00', '07:00', '08:00']],
  ['America/New_York', '5 * * * *', '2026-03-08T05:30Z', 4, ['06:05', '07:05', '08:05', '09:05']],
  ['America/New_York', '0,30 0-5 * * *', '2026-11-01T05:15Z', 2, ['05:30', '06:00', '06:30', '07:00']],
  ['America/New_York', '*/20 2 * * *', '2026-03-08T05:00Z', 6, ['07:00']],
  // Berlin: 02:00 becomes 03:00 at 01:00Z, and 03:00 becomes 02:00 at 01:00Z.
  ['Europe/Berlin', '17 2 * * *', '2026-03-28T12:00Z', 24, ['2026-03-29T01:00']],
  ['Europe/Berlin', '17 2 * * *', '2026-10-24T12:00Z', 24, ['2026-10-25T00:17']],
  ['Europe/Berlin', '*/30 * * * *', '2026-10-25T00:15Z', 2, ['00:30', '01:00', '01:30', '02:00']],
  // Lord Howe: 02:00 becomes 02:30 at 15:30Z, and 02:00 becomes 01:30 at 15:00Z.
  ['Australia/Lord_Howe', '15 2 * * *', '2026-10-03T12:00Z', 24, ['2026-10-03T15:30']],
  ['Australia/Lord_Howe', '45 1 * * *', '2026-04-04T12:00Z', 24, ['2026-04-04T14:45']],
  ['Australia/Lord_Howe', '45 * * * *', '2026-04-04T14:00Z', 2, ['14:45', '15:15']],
  // Chatham: 02:45 becomes 03:45 at 14:00Z.
  ['Pacific/Chatham', '0 3 * * *', '2026-09-26T12:00Z', 24, ['2026-09-26T14:00']],
  // Santiago: midnight becomes 01:00 at 04:00Z, and midnight becomes 23:00 at 03:00Z.
  ['America/Santiago', '0 0 * * *', '2026-09-05T12:00Z', 48, ['2026-09-06T04:00', '2026-09-07T03:00']],
  ['America/Santiago', '30 23 * * *', '2026-04-04T12:00Z', 48, ['2026-04-05T02:30', '2026-04-06T03:30']],
  // Beirut: midnight becomes 01:00 at 22:00Z.
  ['Asia/Beirut', '0 0 * * *', '2026-03-28T12:00Z', 24, ['2026-03-28T22:00']],
  ['Asia/Beirut', '0 0 29 3 *', '2026-03-28T12:00Z', 24, ['2026-03-28T22:00']],
  // New year.
  ['UTC', '59,0 23,0 31,1 12,1 *', '2026-12-31T22:00Z', 3, ['23:00', '23:59', '00:00', '00:59']],
])('in %s %s from %s on, for %i hours', (zone, expression, from, hours, expected) => {
  const fromMs = Date.parse(from);
  const found = times(dueTimes(expression, zone, fromMs, fromMs + hours * hour));
  expect(found.map((time, index) => time.slice(-(expected[index]?.length ?? 0)))).toEqual(expected);
});

const changes: readonly (readonly [zone: string, at: string])[] = [
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Pacific/Chatham', '2026-04-04T14:00Z'],
  ['America/Santiago', '2026-09-06T04:00Z'],
  ['America/Santiago', '2026-04-05T03:00Z'],
  ['Asia/Beirut', '2026-03-28T22:00Z'],
  ['Asia/Beirut', '2026-10-24T21:00Z'],
  ['Atlantic/Azores', '2026-10-25T01:00Z'],
  ['Europe/Berlin', '2026-12-31T23:00Z'],
];

/** What the clocks show, in the Swedish form, minute by minute for nine hours around a change. */
function shownAround(zone: string, at: string) {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const from = Date.parse(at) - 4 * hour;
  return Array.from({ length: 9 * 60 }, (_, index) => {
    const ms = from + index * minute;
    return { ms, local: Date.parse(`${format.format(ms).replace(' ', 'T')}Z`) };
  });
}

/** The same by going through what the clocks show, minute by minute. */
function expectedTimes(minutes: readonly number[], hours: readonly number[], zone: string, at: string) {
  const shown = shownAround(zone, at);
  const holds = (local: number) =>
    minutes.includes((local / minute) % 60) && hours.includes((local / hour - ((local / hour) % 1)) % 24);
  const due = new Set<number>();
  shown.forEach(({ ms, local }, index) => {
    const previous = shown[index - 1];
    const jump = previous === undefined ? 0 : local - previous.local - minute;
    for (let gone = local - jump; gone < local; gone += minute)
      if (holds(gone) && !holds(gone + jump)) due.add(ms);
    const first = shown.find((other) => other.local === local);
    // Had the clocks not been set back, they would show this.
    const unchanged = (first?.local ?? 0) + (ms - (first?.ms ?? 0));
    if (holds(local) && (first?.ms === ms || hours.length === 24 || holds(unchanged))) due.add(ms);
  });
  return [...due].sort((a, b) => a - b);
}

const subset = (values: readonly number[]) =>
  fc.subarray([...values], { minLength: 1 }).map((chosen) => chosen.toSorted((a, b) => a - b));
const allHours = Array.from({ length: 24 }, (_, index) => index);

test('schedules come due at each time that clocks show, skip or repeat, once', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...changes),
      subset([0, 1, 15, 17, 30, 45, 59]),
      fc.oneof(subset(allHours), subset([0, 1, 2, 3, 22, 23]), fc.constant(allHours)),
      ([zone, at], minutes, hours) => {
        const expression = `${minutes.join(',')} ${hours.join(',')} * * *`;
        const from = Date.parse(at) - 4 * hour;
        const found = dueTimes(expression, zone, from, from + 9 * hour, minute);
        // The first minutes may repeat ones that lie before what was looked at.
        expect(times(found)).toEqual(times(expectedTimes(minutes, hours, zone, at)));
      },
    ),
    { numRuns: sized({ short: 30, long: 150 }) },
  );
});

test.each(changes)('in %s at %s an interval never pauses, and no second is due twice', (zone, at) => {
  const from = Date.parse(at) - 2 * hour;
  const every30s = dueTimes('*/30 * * * * *', zone, from, from + 4 * hour);
  expect(every30s).toEqual(Array.from({ length: 480 }, (_, index) => from + index * 30_000));
});

/** A daemon that asks every second, late by up to half of one, while its wall clock is stepped. */
function begins(
  expression: string,
  wallFrom: number,
  steps: readonly (readonly [afterMs: number, byMs: number])[],
  lengthMs: number,
) {
  let wall = wallFrom;
  const alarm = createAlarm({ expression, timezone: 'Europe/Berlin' }, wall);
  const pending = [...steps];
  const found: number[] = [];
  for (let monotonic = 0; monotonic < lengthMs; ) {
    const next = pending[0];
    if (next !== undefined && monotonic >= next[0]) {
      wall += next[1];
      pending.shift();
    }
    if (alarm(wall, monotonic)) found.push(monotonic);
    const waited = 1000 - (wall % 1000) + ((monotonic * 7) % 500);
    monotonic += waited;
    wall += waited;
  }
  return found;
}

const stepSizes = [
  -50,
  -5_000,
  -minute,
  -30 * minute,
  -day,
  hour,
  365 * day,
  Date.parse('2026-11-27T00:00Z'),
];

test('after a step of the clock the next time comes within an interval, and none twice within one', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(['*/5 * * * * *', 5_000], ['*/30 * * * * *', 30_000], [
        '*/5 * * * *',
        300_000,
      ] as const),
      fc.constantFrom(...stepSizes),
      fc.integer({ min: 301_000, max: 900_000 }),
      ([expression, interval], by, at) => {
        const wall = by > 1e12 ? 90_000_000 : Date.parse('2026-11-27T10:00:00Z');
        const found = begins(String(expression), wall, [[at, by]], at + 5 * Number(interval) + 60_000);
        const before = found.filter((ms) => ms < at);
        const after = found.filter((ms) => ms >= at);
        expect((after[0] ?? Infinity) - at).toBeLessThanOrEqual(Number(interval) + 10_000);
        for (const [index, ms] of after.entries())
          expect(ms - (after[index - 1] ?? ms)).toBeLessThanOrEqual(Number(interval) + 10_000);
        // Set back, it rests for an interval; set forward, other times are due at once.
        if (by < 0 && after[0] !== undefined)
          expect(after[0] - (before.at(-1) ?? 0)).toBeGreaterThan(Number(interval) - 2_000);
        expect(after.length).toBeLessThanOrEqual(7 + 60_000 / Number(interval));
      },
    ),
    { numRuns: sized({ short: 20, long: 100 }) },
  );
});

test('a daily job whose time passed within a step forward begins at once, and one that ran does not again', () => {
  const wall = Date.parse('2026-11-27T03:10:00+01:00');
  // Ran at 03:17, set back by a minute at 03:17:30: not at the second 03:17.
  expect(begins('17 3 * * *', wall, [[450_000, -minute]], 2 * hour)).toHaveLength(1);
  expect(begins('17 3 * * *', wall, [[60_000, hour]], 2 * hour)).toEqual([expect.closeTo(60_000, -4)]);
});
