// The data dictionary that is committed is the one the database's comments make. To renew it: `npm run
// generate`.
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { escapeMarkdown } from '../support/markdown.ts';
import { writeDataDictionary } from './data-dictionary.ts';

test('the data dictionary is what the database says', async () => {
  const dictionary = await writeDataDictionary(await testDatabase());
  await expect(dictionary).toMatchFileSnapshot('../../docs/data-dictionary.md');
});

test('every view, table and column stands in it, in order, with its meaning once', async () => {
  const database = await testDatabase();
  const dictionary = await writeDataDictionary(database);
  const [relations = '', common = ''] = dictionary.split('## Common columns\n');
  const places = await database.query<{ relation: string; columns: string[] }>(
    `select table_schema || '.' || table_name as relation, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns where table_schema in ('reporting', 'custody', 'sync') group by 1`,
  );
  const sections = new Map(
    relations
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), itemsOf(section)]),
  );
  const commonNames = itemsOf(common).flatMap(({ names }) => names);
  for (const { relation, columns } of places) {
    const items = sections.get(relation) ?? [];
    expect([relation, items.flatMap(({ names }) => names)]).toEqual([relation, columns]);
    for (const { names, text } of items)
      if (text === undefined) expect(commonNames).toEqual(expect.arrayContaining(names));
  }
  const texts = [...sections.values(), itemsOf(common)].flat().filter(({ names }) => names.length === 1);
  const explained = texts.filter(({ text }) => text !== undefined && !text.startsWith('as in '));
  expect(explained.length).toBe(new Set(explained.map((item) => JSON.stringify(item))).size);
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

/** The columns that each item of a section's list is about, and what it says of them. */
function itemsOf(section: string): readonly { names: string[]; text: string | undefined }[] {
  return [...section.replaceAll(/\n {2}/g, ' ').matchAll(/^- (`.*)$/gm)].map(([, item = '']) => {
    const [head = '', ...text] = item.split(': ');
    const names = [...head.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    return { names, text: text.length === 0 ? undefined : text.join(': ') };
  });
}
