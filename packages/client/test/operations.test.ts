// The client against the description of the API: each operation is a method that asks for its path.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createClient } from '../src/client.ts';

const spec = z
  .looseObject({
    paths: z.record(
      z.string(),
      z.object({
        get: z.looseObject({
          operationId: z.string(),
          parameters: z.array(z.looseObject({ name: z.string(), in: z.enum(['path', 'query']) })),
          responses: z.record(z.string(), z.looseObject({ content: z.looseObject({}).optional() })),
        }),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')));

// Spreadsheet files are for people: the client has no method for them.
const operations = Object.entries(spec.paths)
  .filter(([path]) => !path.endsWith('.xlsx'))
  .map(([path, { get }]) => ({ path, ...get }));

/** Of what a method gives: its promise, or that of the first page of a list. */
function started(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) throw new Error('neither a promise nor a list');
  return 'page' in given && typeof given.page === 'function' ? given.page() : given;
}

test('each operation is a method of the client, and asks for its path in the form that it has', async () => {
  const asked: unknown[] = [];
  const client = createClient({
    baseUrl: 'http://mirror',
    account: 'acme',
    fetch: async (url, { headers }) => {
      const { pathname, search } = new URL(url);
      const { accept } = z.object({ accept: z.string() }).parse(headers);
      asked.push([decodeURIComponent(pathname) + search, accept]);
      const body = accept === 'text/csv' ? 'a\r\n' : JSON.stringify({ data: [], next_cursor: null });
      return new Response(body, { headers: { 'content-type': accept } });
    },
  });
  const expected: unknown[] = [];
  for (const { path, operationId, parameters, responses } of operations) {
    const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    const method: unknown = Reflect.get(client, operationId);
    if (typeof method !== 'function') throw new Error(`${operationId} is no method of the client`);
    await started(method(Object.fromEntries(names.map((name) => [name, `{${name}}`]))));
    const search = parameters.some(({ name }) => name === 'account') ? '?account=acme' : '';
    const forms = Object.keys(responses['200']?.content ?? {});
    expected.push([`/api${path}${search}`, forms[0]]);
  }
  expect(operations.length).toBeGreaterThan(40);
  expect(asked).toEqual(expected);
  const others = Object.keys(client).filter((name) =>
    operations.every(({ operationId }) => operationId !== name),
  );
  expect(others).toEqual(['changes']);
});
