// The data dictionary that is committed is the one the database's comments make. To renew it: `npm run
// db:dump`.
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { escapeMarkdown, writeDataDictionary } from './data-dictionary.ts';

test('the data dictionary is what the database says', async () => {
  const dictionary = await writeDataDictionary(await testDatabase());
  await expect(dictionary).toMatchFileSnapshot('../../docs/data-dictionary.md');
});

test('every view, table and column stands in it, in rows of even width', async () => {
  const database = await testDatabase();
  const dictionary = await writeDataDictionary(database);
  const places = await database.query<{ relation: string; columns: string[] }>(
    `select table_schema || '.' || table_name as relation, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns where table_schema in ('reporting', 'custody', 'sync') group by 1`,
  );
  const sections = new Map(
    dictionary
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section.split('\n')]),
  );
  for (const { relation, columns } of places) {
    const rows = (sections.get(relation) ?? []).filter((line) => line.startsWith('|')).slice(2);
    expect(rows.map((line) => /^\| `(.+?)` \|/.exec(line)?.[1])).toEqual(columns);
  }
  for (const lines of sections.values()) {
    const widths = lines.filter((line) => line.startsWith('|')).map((line) => line.split(/(?<!\\)\|/).length);
    expect(new Set(widths).size).toBeLessThanOrEqual(1);
  }
});

test('foreign signs are shown and do not format', () => {
  expect(escapeMarkdown('a | b\nc')).toBe('a \\| b c');
  expect(escapeMarkdown('in *one* `row` <b> [x] ~~y~~ $1$ c:\\d')).toBe(
    'in \\*one\\* \\`row\\` \\<b\\> \\[x\\] \\~\\~y\\~\\~ \\$1\\$ c:\\\\d',
  );
  expect(escapeMarkdown('valid_to and _this_ too')).toBe('valid_to and \\_this\\_ too');
  expect(escapeMarkdown('# no heading')).toBe('\\# no heading');
  expect(escapeMarkdown('1. no list')).toBe('1\\. no list');
  expect(escapeMarkdown('&amp; & you')).toBe('\\&amp; & you');
});
