// The chart deploy/helm against the program, as far as that takes no Helm: test/system/clients/helm.test.ts
// renders it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { account } from '../../../src/base/config/options.ts';
import { variableNames } from '../../../src/base/config/variables.ts';
import { packageVersion } from '../../../src/cli/setup/command-scope.ts';

const read = (name: string) => readFileSync(new URL(`../../../deploy/helm/${name}`, import.meta.url), 'utf8');

test('the chart has the version of the program', () => {
  expect(parse(read('Chart.yaml'))).toMatchObject({
    version: packageVersion(),
    appVersion: packageVersion(),
  });
});

test('it takes the names of accounts that the program takes', () => {
  const pattern = z.object({ pattern: z.string() });
  const schema = z
    .object({
      properties: z.object({
        accounts: z.object({ items: z.object({ properties: z.object({ account: pattern }) }) }),
      }),
    })
    .parse(JSON.parse(read('values.schema.json')));
  const takes = new RegExp(schema.properties.accounts.items.properties.account.pattern);
  for (const name of ['a', 'A_b.c-', '9', 'a'.repeat(63), 'a'.repeat(64), '-a', 'ä', 'a b', 'a/b', 'a\n'])
    expect([name, takes.test(name)]).toEqual([name, account.safeParse(name).success]);
});

test('no variable that holds a secret can stand among those that are none', () => {
  const refused = [...read('templates/_checked.tpl').matchAll(/^ {2}"([A-Z_]+)" "/gm)].map(
    ([, name]) => name,
  );
  // An address of a proxy without a password is none, and the template refuses one that holds a password.
  const secrets = [...variableNames].filter(
    (name) => variableNames.has(`${name}_FILE`) && !name.endsWith('_PROXY'),
  );
  expect(secrets).toContain('CUSTODY_API_KEY');
  expect(refused).toEqual(expect.arrayContaining(secrets));
});
