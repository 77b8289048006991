// Foreign text on every page: the columns of text that the service fills hold characters that turn the
// writing around, control a terminal or cannot be seen, and no page shows one of them.
import { expect } from 'vitest';
import { longTest } from '../../../test/support/form.ts';
import { seePage } from './read-page.ts';
import { openTransactionsWorld } from './transactions-world.ts';

/** Pages have line feeds and tabs of their own. */
const raw = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const mostPages = 150;

/** The kind of page behind a link: a page is not read again with other values of the same parameters. */
const kindOf = (link: string) => link.replace(/=[^&]*/g, '').replace(/%[^/]*/g, '*');

longTest(
  'no page shows a character that hides, controls or turns the writing around',
  async () => {
    const { store, server } = await openTransactionsWorld();
    const columns = await store.query<{ table: string; name: string }>(
      `select c.table_schema || '.' || c.table_name as table, c.column_name as name
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and c.data_type = 'text' and c.is_generated = 'NEVER'
        and (c.table_schema = 'custody' and c.table_name <> 'accounts' and c.column_name not in ('account_id', 'vault_type', 'kind')
          or c.table_schema = 'sync' and c.column_name in ('record_key', 'reason', 'raw', 'resource_id', 'value', 'error_message'))`,
    );
    expect(columns.length).toBeGreaterThan(40);
    for (const { table, name } of columns)
      await store.query(`do $$ begin
      set local session_replication_role = replica;
      update ${table} set ${name} = ${name} || U&'\\202ECDSU\\001b[31m\\2028\\3164\\fe01\\+0e0041';
    end $$`);

    const kinds = new Set<string>();
    const links = ['/'];
    const found: string[] = [];
    for (const link of links) {
      const { html, status } = await seePage(server, link);
      if (status >= 500) found.push(`${status} ${link}`);
      // A field of a form sends its value as it is: it would filter by another text else.
      const seen = html.replace(/ value="[^"]*"/g, '');
      const at = seen.search(raw);
      if (at >= 0)
        found.push(`${kindOf(link)}: ${JSON.stringify(seen.slice(Math.max(0, at - 150), at + 9))}`);
      for (const [, href = ''] of html.matchAll(/<a [^>]*?href="(\/[^"#]*)/g)) {
        const next = href.replaceAll('&amp;', '&');
        if (
          links.length >= mostPages ||
          kinds.has(kindOf(next)) ||
          /\.(csv|xlsx)|^\/(api|custody)|rows=|theme=|digits=|zone=/.test(next)
        )
          continue;
        kinds.add(kindOf(next));
        links.push(next);
      }
    }
    expect(found).toEqual([]);
    expect(links.length).toBeGreaterThan(20);
  },
  300_000,
);
