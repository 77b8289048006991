import { expect, test } from 'vitest';
import { readQuota, retryAfterMs } from '../../../src/custody/rate/wait-hints.ts';

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

test.each([
  [{}, null],
  [{ 'ratelimit-remaining': '3' }, null],
  [{ 'ratelimit-limit': '10', 'ratelimit-remaining': '3', 'ratelimit-reset': '7' }, [3, 7000]],
  [{ ratelimit: 'limit=10, remaining=4, reset=5' }, [4, 5000]],
  [{ ratelimit: '"default";r=0;t=30', 'ratelimit-policy': '"default";q=10;w=60' }, [0, 30_000]],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 9) }, [0, 9000]],
  [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now + 9000) }, [0, 9000]],
  // The same of a service whose clock is an hour ahead of ours.
  [
    {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(now / 1000 + 3609),
      date: 'Mon, 06 May 2024 08:08:10 GMT',
    },
    [0, 9000],
  ],
  [{ 'x-rate-limit-remaining': '2', 'x-rate-limit-reset': '999999' }, [2, 900_000]],
  [{ 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': 'later' }, null],
])('rate-limit headers %j', (headers, expected) => {
  const quota = readQuota(new Headers(headers), now);
  expect(quota === null ? null : [quota.remaining, quota.resetMs]).toEqual(expected);
});
