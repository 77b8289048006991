import { expect, test } from 'vitest';
import { idOfSegment, pathSegment } from '../../../src/http/request/path-segment.ts';

test.each(['.', '..', '~.', '~..', '~~..', '...', '~', '~~', '~a', 'a~..', 'BTC', '../x', '%2E%2E', ' é/?#'])(
  'an address keeps the identifier %j as one part of its path',
  (id) => {
    const { pathname } = new URL(`http://mirror.invalid/assets/${pathSegment(id)}/series`);
    const parts = pathname.split('/');
    expect(parts).toHaveLength(4);
    expect(idOfSegment(decodeURIComponent(parts[2] ?? ''))).toBe(id);
  },
);

test('all other identifiers stand in addresses as they did before', () => {
  for (const id of ['BTC', '...', '~a', 'a b', '../x']) expect(pathSegment(id)).toBe(encodeURIComponent(id));
});
