// The role of `serve`: with exactly what `grant --serve` gives, everything that it serves is answered, and
// the role can do nothing else.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environment, serveSandbox, sync } from '../../../support/command.ts';
import { testDatabase } from '../../../support/database.ts';
import { runHere } from '../../../support/in-process.ts';
import { testRole } from '../../../support/roles.ts';
import { startServe } from '../../../support/serve.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { refusal } from './owned-mirror.ts';

const openApi = JSON.parse(
  readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, unknown> };
const lists = Object.keys(openApi.paths)
  .filter((path) => !/[{.]/.test(path))
  .map((path) => `/api${path}`);
const pages = [
  '/',
  '/balances',
  '/transactions',
  '/vaults',
  '/whitelist',
  '/reconciliation',
  '/sync',
  '/accounts',
];

test('a role with what grant --serve gives serves everything, and is no more than that', async () => {
  const [service, database] = await Promise.all([serveSandbox({ transactions: 60 }), testDatabase()]);
  expect((await sync(service, database)).code).toBe(0);
  const role = await testRole(database);
  const owner = environment(service, database);
  const grant = (...args: string[]) => runHere(['grant', role.name, ...args], { env: owner });
  const doctor = () => runHere(['doctor'], { env: { ...owner, HTTP_DATABASE_URL: role.url } });
  const lacking = await doctor();
  expect(lacking.code).toBe(1);
  expect(lacking.stdout).toMatch(
    /FAULT +HTTP_DATABASE_URL +\S+ cannot read \S+ and \d+ more;\s+custody-mirror grant --serve/,
  );
  expect(await grant('--serve')).toMatchObject({
    code: 0,
    stdout: `${role.name} is now what custody-mirror serve needs in DATABASE_URL, also after later migrations.\n`,
  });
  expect((await doctor()).stdout).toMatch(
    /ok +HTTP_DATABASE_URL [^;]* reads\s+every\s+table\s+of\s+the\s+mirror/,
  );
  const { stdout: key } = await runHere(['key', 'create', 'reader'], { env: owner });

  const serve = await startServe(role, { LOG_LEVEL: 'debug' });
  const headers = { 'x-api-key': key.trim() };
  for (const path of [...lists, ...pages, '/custody/transactions', '/metrics', '/healthz', '/readyz']) {
    const { status } = await serve.get(path, headers);
    // 404 and 422: without a parameter that the path needs, or nothing is mirrored that it shows.
    expect([path, status < 500]).toEqual([path, true]);
  }
  await waitFor(
    async () => {
      const [row] = await database.query<{ used: boolean }>(
        'select last_used_at is not null as used from sync.api_keys',
      );
      return row?.used === true;
    },
    { what: 'a note of the use of the key' },
  );
  // It writes itself no key, and nothing else.
  for (const sql of [
    'delete from sync.api_keys',
    'update sync.api_keys set scope = $$read$$',
    'delete from custody.vaults',
  ])
    expect([sql, await refusal(role, sql)]).toEqual([sql, '42501']);
  await serve.end();
  expect(serve.stderr()).not.toMatch(/permission denied|"42501"/);
});
