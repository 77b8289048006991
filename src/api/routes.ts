// The read API below /api: its routes, its description as OpenAPI, and the reference page.
import { Hono } from 'hono';
import { type ApiEnvironment, handle } from './answer/handler.ts';
import { routeOf, type Tools } from './answer/operation.ts';
import { Problem } from './answer/parameters.ts';
import { sendBody, xlsx } from './answer/send.ts';
import { operations } from './operations.ts';
import { type PageOptions, readSpec, referencePage } from './reference.ts';

export interface ApiOptions extends Tools, PageOptions {}

/** To be mounted at /api; the variable `reader` is set before. */
export function apiRoutes({ version, ...tools }: ApiOptions): Hono<ApiEnvironment> {
  const app = new Hono<ApiEnvironment>();
  // On the first request: few processes are asked for it, and it is a megabyte.
  const described = once(() => {
    const spec = readSpec();
    return { text: JSON.stringify(spec), page: referencePage(spec, { version }) };
  });
  for (const operation of operations) {
    const route = routeOf(operation);
    app.get(route, handle(operation, tools, null));
    if (operation.list === undefined) continue;
    app.get(`${route}.csv`, handle(operation, tools, 'text/csv'));
    app.get(`${route}.xlsx`, handle(operation, tools, xlsx));
  }
  app.get('/openapi.json', (c) => sendBody(c, described().text));
  app.get('/', (c) => {
    c.header('cache-control', 'private, no-cache');
    return c.html(described().page);
  });
  app.get('*', () => {
    throw new Problem('not-found', 'the API has no such path; /api lists them all');
  });
  return app;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
