// Following a history by change_id, with the very statements of docs/events.md, while several jobs commit
// beside one another.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startRun } from '../../src/store/run/runs.ts';
import { migrationsFolder } from '../../src/store/schema/migrations.ts';
import { onCleanup } from '../support/cleanup.ts';
import { historyTables } from '../support/histories.ts';
import { account, commitPages, open, openStore, pageOf, type Store } from '../support/store.ts';

const writers = 4;
const commits = 25;

/** The statements of the document, for the account of the tests. */
async function documented(): Promise<{ readonly setUp: string; readonly step: string }> {
  const text = await readFile(join(dirname(migrationsFolder()), 'docs/events.md'), 'utf8');
  const [setUp, step] = [...text.matchAll(/```sql\n([^`]*)```/g)].map((match) =>
    (match[1] ?? '').replaceAll("'default'", `'${account}'`),
  );
  if (setUp === undefined || step === undefined) throw new Error('docs/events.md has not its two statements');
  return { setUp, step };
}

/**
 * One job of a process of its own: it shares the lease with the others, and the turn within the process with
 * nobody.
 */
async function writeMuch(store: Store, number: number): Promise<void> {
  const database = open(store.url);
  const run = await startRun(database, store.lease, { job: `job-${number}`, mode: 'full' });
  for (let done = 0; done < commits; done += 1) {
    const began = number * 10_000 + done * 10;
    const records = Array.from({ length: 3 }, (_, index) => ({ id: `${number}/${done}/${index}` }));
    const settled = { id: `${number}/${done}/0`, status: 'completed' };
    await commitPages(
      { database, lease: store.lease, run },
      pageOf(records, began),
      pageOf([settled], began + 5),
    );
  }
}

test('who follows a history by change_id while jobs commit side by side misses nothing and sees nothing twice', async () => {
  const store = await openStore();
  const { setUp, step } = await documented();
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  onCleanup(() => client.end());
  await client.query(setUp);

  const followed: string[] = [];
  let readings = 0;
  const readOn = async () => {
    const { rows } = await client.query<{ change_id: string }>(step);
    followed.push(...rows.map((row) => row.change_id));
    if (rows.length > 0) readings += 1;
  };
  let writing = true;
  const written = Promise.all(
    Array.from({ length: writers }, (_, number) => writeMuch(store, number)),
  ).finally(() => {
    writing = false;
  });
  while (writing) await readOn();
  await written;
  await readOn();

  const all = await store.query<{ change_id: string }>(
    'select change_id from custody.transaction_status_history order by change_id',
  );
  expect(all).toHaveLength(writers * commits * 4);
  expect(followed).toEqual(all.map((row) => row.change_id));
  // Else it had followed nothing but an end state.
  expect(readings).toBeGreaterThan(writers);
});

test('no session keeps numbers back', async () => {
  const store = await openStore();
  const [sequence] = await store.query<{ cache: string }>(
    `select s.seqcache as cache from pg_sequence s where s.seqrelid = 'custody.change_ids'::regclass`,
  );
  expect(sequence).toEqual({ cache: '1' });
  for (const table of historyTables) {
    const [column] = await store.query<{ value: string }>(
      `select column_default as value from information_schema.columns
       where table_schema = 'custody' and table_name = '${table}' and column_name = 'change_id'`,
    );
    expect(column?.value).toContain('custody.change_ids');
  }
});
