// Every block of SQL in README.md and docs/ runs on the mirror's tables. What docs/sql.md answers is held by
// test/system/dashboards.
import { expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import { testDatabase } from '../../support/database.ts';
import { startPostgres } from '../../support/postgres.ts';
import { withClient } from '../../support/server.ts';
import { type Block, blocks } from './blocks.ts';

const queries = blocks.filter(({ language }) => language === 'sql');
/** What a second server runs in test/system/clients/subscriber.test.ts. */
const subscribes = ({ text }: Block) => text.includes('create subscription');
const makesDatabase = ({ text }: Block) => text.includes('create database');

test('every block of SQL runs', async () => {
  const database = await testDatabase();
  // The account of a first mirror, and the bookmark that docs/events.md tells a follower to keep.
  await database.query('create schema follower');
  await database.query("insert into custody.accounts values ('default', 'https://custody.example', now())");
  await database.query('create table follower.bookmark (account_id text primary key, change_id bigint)');
  const failures = await withClient(database.url, async (client) => {
    const failed: string[] = [];
    for (const { name, text } of queries.filter((block) => !makesDatabase(block) && !subscribes(block))) {
      await client.query('begin');
      await client.query(text).catch((error) => failed.push(`${name}: ${String(error)}\n${text}`));
      await client.query('rollback');
    }
    return failed;
  });
  expect(failures).toEqual([]);
});

test.each(queries.filter(makesDatabase))('$name: runs on a server that has nothing yet', async ({ text }) => {
  const dataDirectory = newDataDirectory('custody-mirror-queries');
  const server = await startPostgres({ dataDirectory, persistent: false });
  onCleanup(server.stop);
  const statements = text.split(/;\n/).filter((statement) => statement.trim() !== '');
  await withClient(server.url('postgres'), async (client) => {
    for (const statement of statements) await client.query(statement);
    const { rows } = await client.query(
      "select from pg_database where pg_get_userbyid(datdba) = 'custody_mirror'",
    );
    expect(rows).toHaveLength(1);
  });
});
