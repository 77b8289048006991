// Token buckets and limited addresses.
import { expect, test } from 'vitest';
import { limitedAddress } from '../../../src/http/access/client-address.ts';
import { createTokenBuckets } from '../../../src/http/access/rate-limit.ts';

test('no more than so many buckets are remembered, and those used last stay', () => {
  const buckets = createTokenBuckets({ perSecond: 1, burst: 1, most: 3, monotonicMs: () => 0 });
  for (const name of ['a', 'b', 'c']) expect(buckets.take(name)).not.toBeNull();
  expect(buckets.take('d')).not.toBeNull();
  expect(['b', 'c', 'd'].map((name) => buckets.state(name).left)).toEqual([0, 0, 0]);
  expect(buckets.state('a').left).toBe(1);
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::99', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
])('%s is limited as %s', (address, limited) => {
  expect(limitedAddress(address)).toBe(limited);
});
