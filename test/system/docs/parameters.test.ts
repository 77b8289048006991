// Where the documents write a function of ours with its parameters, the names are those that the database
// knows.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';

const documents = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md') && !name.endsWith('data-dictionary.md'),
);

test('parameters have the names that the database knows', async () => {
  const database = await testDatabase();
  const functions = await database.query<{ name: string; parameters: string[] }>(`
    select p.proname as name, coalesce(p.proargnames[1:p.pronargs], '{}') as parameters
    from pg_proc p where p.pronamespace in ('reporting'::regnamespace, 'custody'::regnamespace)`);
  const known = new Map(functions.map(({ name, parameters }) => [name, parameters]));
  const found: string[] = [];
  for (const document of documents) {
    // Calls with values, such as balances_at('2026-06-18'), and names without parameters say nothing of
    // names.
    for (const [, name = '', list = ''] of readFileSync(document, 'utf8').matchAll(
      /\b(\w+)\(([a-z]\w*(?:, [a-z]\w*)*)\)`/g,
    )) {
      const parameters = known.get(name);
      if (parameters === undefined) continue;
      found.push(name);
      expect(list.split(', '), `${name} in ${document}`).toEqual(parameters);
    }
  }
  expect(found).toEqual(expect.arrayContaining(['balances_at', 'balances_shown', 'uncertain_postings']));
});
