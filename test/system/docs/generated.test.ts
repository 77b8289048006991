// The documents that are made from tables of the program are up to date. To renew them: `npm run
// generate`.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Variable } from '../../../src/base/config/options.ts';
import { variables } from '../../../src/base/config/variables.ts';
import { endpoints } from '../../../src/custody/endpoints.ts';
import { testDatabase } from '../../support/database.ts';
import { root } from './blocks.ts';
import { writeCatalogue } from './catalogue.ts';
import { writeClientSources } from './client-sources.ts';
import { composeVariables } from './compose-variables.ts';
import { faultsOf, writeConfiguration, writeEnvExample } from './configuration-document.ts';
import { writeDbtSources } from './dbt-sources.ts';
import { clientErrors, serviceErrors } from './error-texts.ts';
import { writeErrors } from './errors-document.ts';
import { writeSpec } from './openapi-document.ts';
import { datasets, writeSupersetDataset } from './superset-datasets.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('docs/configuration.md is what the table of variables says', async () => {
  await expect(writeConfiguration()).toMatchFileSnapshot(join(root, 'docs/configuration.md'));
});

test('.env.example is what the table of variables says', async () => {
  await expect(writeEnvExample()).toMatchFileSnapshot(join(root, '.env.example'));
});

test('docs/errors.md is what the table of codes says', async () => {
  await expect(writeErrors()).toMatchFileSnapshot(join(root, 'docs/errors.md'));
});

test('the read API knows each column by its type in the database and its comment in sql/', async () => {
  await expect(await writeCatalogue(await testDatabase())).toMatchFileSnapshot(
    join(root, 'src/store/read-api/generated/catalogue.ts'),
  );
});

test('the sources of the dbt package are what the comments in the database say', async () => {
  await expect(await writeDbtSources(await testDatabase())).toMatchFileSnapshot(
    join(root, 'deploy/dbt/models/sources.yml'),
  );
});

test('the columns of the datasets for Superset are those of the database', async () => {
  const database = await testDatabase();
  for (const file of readdirSync(join(root, datasets)))
    await expect(await writeSupersetDataset(database, basename(file, '.yaml'))).toMatchFileSnapshot(
      join(root, datasets, file),
    );
});

test('the rules of the chart are those of deploy/prometheus', async () => {
  for (const [copy, file] of Object.entries({
    'alerts.yaml': 'custody-mirror.rules.yaml',
    'business.yaml': 'custody-mirror-business.rules.yaml',
  }))
    await expect(read(`deploy/prometheus/${file}`)).toMatchFileSnapshot(
      join(root, 'deploy/helm/rules', copy),
    );
});

test('docs/openapi.json is what the operations say', async () => {
  const spec = `${JSON.stringify(writeSpec(), null, 2)}\n`;
  await expect(spec).toMatchFileSnapshot(join(root, 'docs/openapi.json'));
});

test('the types and the operations of the client are what the description of the API says', async () => {
  const { types, operations } = await writeClientSources(writeSpec());
  await expect(types).toMatchFileSnapshot(join(root, 'packages/client/src/generated/types/api-types.ts'));
  await expect(operations).toMatchFileSnapshot(join(root, 'packages/client/src/generated/operations.ts'));
});

test('a variable that takes any text is the only one whose wrong values are not shown', () => {
  const silent = Object.entries<Variable>(variables).filter(
    ([, variable]) => faultsOf(variable).length === 0,
  );
  expect(silent.map(([name]) => name)).toEqual([
    'CUSTODY_VAULTS_ARRAY',
    'CUSTODY_VAULT_ID',
    'CUSTODY_WHITELIST_ARRAY',
    'CUSTODY_WHITELIST_ID',
    'SEAL_CHECKPOINTS_FILE',
    'HTTP_HOST',
    'NO_PROXY',
  ]);
});

test('what docker-compose.yml reads besides the variables of the program is listed, with its defaults', () => {
  const found = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+):-([^}]*)\}/g)]
    .map(([, name = '', fallback = '']) => [name, fallback] as const)
    .filter(([name]) => !Object.keys(variables).includes(name.replace(/_FILE$/, '')));
  const listed = composeVariables
    .filter(({ fallback }) => fallback !== null)
    .map(({ name, fallback }) => [name, fallback]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
});

// Codes of the mirror's own failures are a type, by which error-texts.ts does not compile without a text.
test('the codes that the client of the service gives a failure are those that have a text', () => {
  const given = readdirSync(join(root, 'src/custody'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [
      ...read(`src/custody/${path}`).matchAll(/\b(?:fault|toError)\([^,()]+, '([A-Z][A-Z0-9-]+)'/g),
    ])
    .map(([, code = '']) => code);
  // This one is made of the status.
  expect([...new Set([...given, 'HTTP-404'])].toSorted()).toEqual(Object.keys(clientErrors).toSorted());
  const empty = Object.values(endpoints).flatMap(({ emptyCodes }) => emptyCodes);
  expect(Object.keys(serviceErrors)).toEqual(expect.arrayContaining(empty));
});

test('the view of health gives the same fixes as the commands', () => {
  const view = read('sql/health/health_problems.sql');
  const fixes = [...view.matchAll(/WHEN '([A-Z0-9-]+)' THEN '([^']+)'/g)];
  expect(fixes.map(([, code]) => code)).toContain('CERTIFICATE');
  for (const [, code = '', fix] of fixes)
    expect({ code, fix }).toEqual({ code, fix: (serviceErrors[code] ?? clientErrors[code])?.fix });
});
