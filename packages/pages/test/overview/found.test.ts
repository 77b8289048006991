// What a kept answer says: nothing found is told only where everything was looked at.
import { expect, test } from 'vitest';
import { foundOf } from '../../src/overview/load.ts';

const askedAt = '2026-06-30T09:30:00.000Z';

test('no rows and days that were not reached are no answer yet; no rows at all are one', () => {
  expect(foundOf({ answer: { data: [], next_cursor: 'on' }, askedAt })).toEqual({ state: 'pending' });
  expect(foundOf({ answer: { data: [], next_cursor: null }, askedAt })).toMatchObject({
    state: 'known',
    rows: [],
    isPart: false,
  });
  expect(foundOf({ answer: { data: [1], next_cursor: 'on' }, askedAt })).toMatchObject({ isPart: true });
});
