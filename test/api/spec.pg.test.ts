// The API against its own committed document: what each route answers, and what it does with bad input of
// every parameter.
import { beforeAll, expect, test } from 'vitest';
import { longTest, sampled } from '../support/form.ts';
import { mirrorOfJune } from '../system/dashboards/june.ts';
import { type Api, document, type Route, type Row, routes, startApi, validatorOf } from './documented-api.ts';

let api: Api;
/** An identifier for each parameter of a path. */
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  const mirror = await mirrorOfJune();
  api = await startApi(mirror.url, { of: 'default' });
  const first = async (path: string, name: string) => String((await api.json(path)).data[0]?.[name]);
  ids = {
    transaction_id: await first('/api/v1/transactions?missing=false', 'transaction_id'),
    vault_id: await first('/api/v1/vaults', 'vault_id'),
    entry_id: await first('/api/v1/whitelist', 'entry_id'),
    asset_id: await first('/api/v1/balances', 'asset_id'),
    snapshot_at: await first('/api/v1/snapshots', 'snapshot_at'),
  };
});

function addressOf({ path, parameters }: Route, query: Readonly<Record<string, string>> = {}): string {
  const named = path.replace(/\{(\w+)\}/, (_, name) => encodeURIComponent(query[name] ?? ids[name] ?? ''));
  const pairs = Object.entries(query).filter(
    ([name]) => !parameters.some((one) => one.in === 'path' && one.name === name),
  );
  const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `/api${named}${search === '' ? '' : `?${search}`}`;
}

async function expectAsDescribed(route: Route, address: string): Promise<{ status: number; body: unknown }> {
  const answer = await api.get(address);
  const text = await answer.text();
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const validate = validatorOf(route.path, answer.status, type);
  const body: unknown = type.endsWith('json') ? JSON.parse(text) : text;
  expect({ address, errors: validate(body) ? null : validate.errors }).toEqual({ address, errors: null });
  return { status: answer.status, body };
}

test('the served document is the committed one', async () => {
  expect(JSON.stringify(await api.json('/api/openapi.json'))).toBe(JSON.stringify(document));
});

test('every route answers as the document describes it, and most of them with rows', async () => {
  const empty: string[] = [];
  for (const route of sampled(routes, { every: 3 })) {
    const { status, body } = await expectAsDescribed(route, addressOf(route));
    expect({ path: route.path, status }).toEqual({ path: route.path, status: 200 });
    if (typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data))
      if (body.data.length === 0) empty.push(route.path);
  }
  // The first transaction has no revision, and June has no correction of an ended day and nothing uncertain.
  const mayBeEmpty = ['/revisions', '/uncertain', '/late-corrections'];
  expect(empty.filter((path) => !mayBeEmpty.some((end) => path.endsWith(end)))).toEqual([]);
});

test('each member that the document names is in the rows, and no other', async () => {
  const lists = routes.filter(({ path }) => !/\.(?:csv|xlsx)$/.test(path));
  for (const route of sampled(lists, { every: 3, from: 1 })) {
    const { data } = await api.json(addressOf(route));
    const rows: Row[] = Array.isArray(data) ? data : [data];
    const described = JSON.stringify(route.responses['200']).match(/schemas\/(\w+)/)?.[1] ?? '';
    const schemas = (await api.json('/api/openapi.json')) as unknown as {
      components: { schemas: Record<string, { properties: object }> };
    };
    for (const row of rows.slice(0, 3))
      expect([route.path, Object.keys(row).sort()]).toEqual([
        route.path,
        Object.keys(schemas.components.schemas[described]?.properties ?? {}).sort(),
      ]);
  }
});

longTest('the example of every parameter is accepted', async () => {
  // A file has the parameters of its list, and takes longer to write.
  for (const route of sampled(
    routes.filter(({ path }) => !path.endsWith('.xlsx')),
    { every: 3 },
  ))
    for (const { name, example } of route.parameters) {
      if (name === 'cursor') continue;
      const { status } = await expectAsDescribed(route, addressOf(route, { [name]: String(example) }));
      expect({ path: route.path, name, ok: status === 200 || status === 404 }).toEqual({
        path: route.path,
        name,
        ok: true,
      });
    }
});

/** Values that the schema of a parameter refuses. */
function badValues(parameter: Route['parameters'][number]): readonly string[] {
  // An empty part of a path makes another path.
  return badTexts(parameter).filter((value) => value !== '' || parameter.in !== 'path');
}

function badTexts({ schema }: Route['parameters'][number]): readonly string[] {
  const { type, format, maximum = 0, minimum = 0, maxLength } = schema;
  if (schema.enum !== undefined)
    return ['', 'nonsense', `${schema.enum[0]} `, String(schema.enum[0]).toUpperCase()];
  if (type === 'integer')
    return ['', '1.5', 'x', `${minimum - 1}`, `${maximum + 1}`, '1e2', ' 1', '0x1', '9'.repeat(30)];
  if (format === 'date-time')
    return [
      '',
      'now',
      '2026-11-20',
      '2026-11-20T06:32:00',
      '2026-11-20 06:32:00Z',
      '2026-13-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '1969-12-31T23:59:59Z',
      '0000-01-01T00:00:00Z',
      '99999-01-01T00:00:00Z',
      '1763620320',
      '2026-11-20T06:32:00.1234567Z',
      '2026-11-20T06:32:00+25:00',
      'infinity',
    ];
  if (format === 'date')
    return ['', 'today', '2026-02-30', '2026-1-1', '20261120', '1969-12-31', '2026-11-20T00:00:00Z'];
  if (maxLength !== undefined) return ['x'.repeat(maxLength + 1), 'a\u0000b'];
  return ['', '1e5', 'NaN', 'Infinity', '+1', ',5', '1,000', '0x1', '9'.repeat(70)];
}

test('bad input of every parameter is a 400 that names it and says what is allowed', async () => {
  const cases = routes.flatMap((route) =>
    route.parameters.flatMap((parameter) =>
      badValues(parameter).map((value) => ({ route, name: parameter.name, value })),
    ),
  );
  expect(cases.length).toBeGreaterThan(1000);
  for (const { route, name, value } of sampled(cases, { every: 7 })) {
    const address = addressOf(route, { [name]: value });
    const { status, body } = await expectAsDescribed(route, address);
    expect({ address, status, body }).toMatchObject({
      status: 400,
      body: { code: 'bad-parameter', errors: [{ name, reason: expect.stringMatching(/^must be /) }] },
    });
  }
});

test('unknown, repeated and undecodable parameters are refused by name on every route', async () => {
  for (const route of sampled(routes, { every: 3, from: 1 })) {
    const address = addressOf(route);
    const known = route.parameters.find((parameter) => parameter.in === 'query');
    const bad = [
      ['limits=5', 'limits'],
      ['__proto__=1', '__proto__'],
      ['%00=1', '\u0000'],
      ...(known === undefined
        ? []
        : [
            [`${known.name}=${known.example}&${known.name}=${known.example}`, known.name],
            [`${known.name}=%ff`, known.name],
            [`${known.name}=%zz`, known.name],
          ]),
    ];
    for (const [search, name] of bad) {
      const { status, body } = await expectAsDescribed(route, `${address}?${search}`);
      expect({ search, status, body }).toMatchObject({ status: 400, body: { errors: [{ name }] } });
    }
  }
});

test('identifiers of a path are decoded strictly, and what is not there is a 404', async () => {
  for (const path of [
    '/api/v1/transactions/%ff',
    '/api/v1/vaults/a%00b',
    `/api/v1/whitelist/${'x'.repeat(501)}`,
  ])
    expect([path, (await api.get(path)).status]).toEqual([path, 400]);
  for (const path of [
    '/api/v1/transactions/a%2Fb',
    '/api/v1/vaults/%E2%82%AC',
    '/api/v1/transactions/x/timeline',
    '/api/v1/nothing',
    '/api/v2/transactions',
    '/api/v1/transactions/',
  ])
    expect([path, (await api.get(path)).status]).toEqual([path, 404]);
});

test('the reference page names every route, member and problem, and loads nothing', async () => {
  const answer = await api.get('/api');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
  const page = await answer.text();
  for (const { path, parameters } of routes.filter((route) => !/\.(?:csv|xlsx)$/.test(route.path))) {
    expect(page).toContain(`GET /api${path}`);
    for (const { name } of parameters) expect(page).toContain(`<code>${name}</code>`);
  }
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(20);
  for (const id of links) expect(page).toContain(`id="${id}"`);
  expect(page).not.toMatch(/<script|https?:\/\/(?!\S*w3)/);
});
