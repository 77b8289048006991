// A client that left before its answer began holds nothing: no answer under way, and so no place of others.
import { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { expect, test } from 'vitest';
import { createRateLimit } from '../../../src/http/access/rate-limit.ts';

test('who left before it was admitted does not count among the answers under way', () => {
  const admit = createRateLimit(null, 1, () => 0);
  const requestOf = (isGone: boolean) => {
    const outgoing = new ServerResponse({ method: 'GET' } as never);
    if (isGone) outgoing.destroy();
    return { env: { outgoing }, header: () => undefined } as unknown as Context;
  };
  for (let turn = 0; turn < 3; turn += 1) admit(requestOf(true) as never, 'reader');
  admit(requestOf(false) as never, 'reader');
  expect(() => admit(requestOf(false) as never, 'reader')).toThrow(
    '1 responses to this reader are in progress',
  );
});
