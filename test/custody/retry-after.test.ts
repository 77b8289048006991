import { expect, test } from 'vitest';
import { retryAfterMs } from '../../src/custody/answers.ts';

const now = Date.parse('2024-05-06T07:08:10Z');

test.each([
  [{}, null],
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Mon, 06 May 2024 07:08:15 GMT' }, 5000],
  // The service's clock is an hour ahead of ours: its own date is what counts.
  [{ 'retry-after': 'Mon, 06 May 2024 08:08:15 GMT', date: 'Mon, 06 May 2024 08:08:10 GMT' }, 5000],
  [{ 'retry-after': 'Mon, 06 May 2024 07:08:00 GMT' }, 0],
  [{ 'retry-after': '86400' }, 900_000],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '-5' }, null],
])('Retry-After %j', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers), now)).toBe(expected);
});
