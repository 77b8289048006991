// Every variable that the program reads is in docs/configuration.md, and what that says of the driver of
// PostgreSQL is true.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { variables } from '../../../src/base/config/variables.ts';
import { serversOf } from '../../../src/store/postgres/server-choice.ts';
import { testDatabase } from '../../support/database.ts';
import { runProcess } from '../../support/process.ts';
import { root } from './blocks.ts';

const document = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
const others = document.split('## Variables of other software')[1] ?? '';
const namedThere = [...others.matchAll(/`([A-Z][A-Z_]+)(…?)`/g)].map(([, name = '', more = '']) => ({
  name,
  isPrefix: more !== '',
}));

function isDocumented(name: string): boolean {
  return (
    Object.hasOwn(variables, name) ||
    Object.hasOwn(variables, name.replace(/_FILE$/, '')) ||
    namedThere.some((other) => (other.isPrefix ? name.startsWith(other.name) : name === other.name))
  );
}

test('a variable that is read from the environment is documented', () => {
  const found = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }))
    .filter(({ text }) => /\benv\b/.test(text))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\benv\??\.?\[\s*['"`](\w+)|['"]([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)['"]/g)].map(
        ([, read, quoted]) => ({ path, name: read ?? quoted ?? '' }),
      ),
    );
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['NO_COLOR', 'OTEL_TRACES_EXPORTER']));
  // The first two set the clock of tests, and HTTP_PROXY is named to be left alone.
  const known = ['LD_PRELOAD', 'CLOCK_SHIFT_MS', 'HTTP_PROXY'];
  expect(found.filter(({ name }) => !isDocumented(name) && !known.includes(name))).toEqual([]);
});

test('the driver of PostgreSQL takes from the environment what the address leaves out', async () => {
  for (const name of ['PGPASSWORD', 'PGUSER', 'PGOPTIONS'])
    expect([name, isDocumented(name)]).toEqual([name, true]);
  const { url } = await testDatabase();
  const { username, password, host, pathname } = new URL(url);
  const env = { DATABASE_URL: `postgres://${host}${pathname}`, PGUSER: username, PGPASSWORD: password };
  expect(await runProcess(['migrate', '--check'], { env })).toMatchObject({ code: 0 });
  const { code, stderr } = await runProcess(['migrate', '--check'], { env: { ...env, PGPASSWORD: 'other' } });
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('password') });
});

test('PGSSLMODE checks certificates where sslmode in an address does not', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('PGSSLMODE', 'require');
  const sslOf = (address: string) =>
    new pg.Client({ connectionString: serversOf(address)[0].connectionString }).ssl;
  expect(sslOf('postgres://host/name')).toBe(true);
  expect(sslOf('postgres://host/name?sslmode=require')).toEqual({ rejectUnauthorized: false });
});
