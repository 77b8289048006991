// PySpark reads transactions and daily balances in ranges, as docs/scaling.md writes it, at one moment while
// the mirror goes on, and loses no digit: also not of amounts that its decimals cannot hold.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { expect, test } from 'vitest';
import type { TestDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { withClient } from '../../support/server.ts';
import { blocksUnder } from '../docs/blocks.ts';
import { installed } from './installed.ts';
import { jdbc, openMirrorForReaders, runClient } from './mirror-for-readers.ts';

const spark = installed('spark');
const java = installed('java');
const missing = spark.missing || java.missing;

const wide = `1${'0'.repeat(40)}`;
const long = '0.123456789012345678901234567895';
/** Just fits; two of them do not. */
const largest = `${'9'.repeat(20)}.${'9'.repeat(18)}`;

/** Spark names an overflow by how rows fall into partitions. */
const overflow = expect.stringMatching(/^(NUMERIC_VALUE_OUT_OF_RANGE|ARITHMETIC_OVERFLOW)/);

/** Ten days of balances, and amounts at and beyond the ends of a decimal of 38 digits. */
async function makeHostile(
  database: TestDatabase,
): Promise<Readonly<Record<'wide' | 'long' | 'text', string>>> {
  const ids = await database.query<{ id: string }>(
    'select transaction_id as id from custody.transactions where amount is not null order by 1 desc limit 5',
  );
  const [first, second, third, fourth, fifth] = ids.map(({ id }) => id);
  const set =
    'update custody.transactions set amount = $1, asset_id = coalesce($2, asset_id) where transaction_id = $3';
  for (const values of [
    [wide, null, first],
    [long, null, second],
    ['100000000000000000000', null, third],
    [largest, 'LARGEST', fourth],
    [largest, 'LARGEST', fifth],
  ])
    await database.query(set, values);
  await database.query(`
    insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count,
      changed_count, quarantined_count, run_id)
    select account_id, vault_type, snapshot_at - day, asked_at - day, answered_at - day, asset_count, 0, 0, run_id
    from custody.balance_snapshots cross join (select n * interval '1 day' as day from generate_series(1, 9) as n) as past;
    update custody.accounts set first_seen_at = first_seen_at - interval '9 days';
    update custody.balances set valid_from = valid_from - interval '9 days', unchanged_since = unchanged_since - interval '9 days';
    update custody.balances set total_balance = ${wide} where asset_id = (select min(asset_id) from custody.balances);
    update custody.balances set total_balance = ${long} where asset_id = (select max(asset_id) from custody.balances)`);
  return { wide: first ?? '', long: second ?? '', text: long };
}

async function ask(client: pg.Client, sql: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  return Object.fromEntries(rows);
}

test.skipIf(missing !== '')(
  `PySpark reads in ranges, at one moment, and its sums agree to the last digit${missing}`,
  async () => {
    const directory = newFolder();
    const { database, reader } = await openMirrorForReaders();
    const hostile = await makeHostile(database);
    const [python = ''] = blocksUnder('docs/scaling.md, Spark', 'python');
    const [snapshot = ''] = blocksUnder('docs/scaling.md, Spark', 'sql');
    writeFileSync(join(directory, 'block.py'), python);
    await withClient(database.url, async (client) => {
      const results: unknown = await client.query(snapshot);
      const moment = (results as pg.QueryResult[]).at(-1)?.rows[0]?.pg_export_snapshot;
      // What happens after the moment is not read.
      await database.query("update custody.transactions set amount = 1, status = 'later'");
      await database.query('update custody.balances set total_balance = 1');
      const { stdout } = runClient(
        join(spark.directory, 'env/bin/python'),
        [fileURLToPath(new URL('spark_reader.py', import.meta.url)), join(directory, 'block.py')],
        {
          cwd: directory,
          env: {
            READER_URL: jdbc(reader.url),
            PGJDBC_JAR: readdirSync(join(java.directory, 'jars'))
              .filter((name) => name.startsWith('postgresql-'))
              .map((name) => join(java.directory, 'jars', name))
              .join(),
            SNAPSHOT: moment,
            HOSTILE: JSON.stringify(hostile),
            SPARK_LOCAL_IP: '127.0.0.1',
            PYSPARK_SUBMIT_ARGS: '--master local[2] --conf spark.ui.enabled=false pyspark-shell',
          },
        },
      );
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
        amounts: await ask(client, 'select transaction_id, amount::text from custody.transactions'),
        types: { change_id: 'bigint', amount: 'decimal(38,18)', amount_text: 'string' },
        transactions: {
          rest: 4,
          sums: await ask(
            client,
            `select asset_id, trim_scale(sum(amount))::text from custody.transactions
             where amount is not null and asset_id <> 'LARGEST' group by 1`,
          ),
        },
        largest: [largest, largest],
        sumOfLargest: overflow,
        days: await ask(client, 'select day::text, count(*)::int from reporting.balances_daily group by 1'),
        balances: {
          rest: 20,
          sums: await ask(
            client,
            `select asset_id, trim_scale(sum(total_balance))::text from reporting.balances_daily
             where vault_type = 'warm' and total_balance is not null group by 1`,
          ),
        },
        // The last digits are gone, without a word.
        unruled: {
          type: 'decimal(38,18)',
          long: '0.123456789012345679',
          cast: '0.123456789012345679',
          wide: overflow,
        },
      });
    });
    for (const [name, least] of [
      ['transactions', 4],
      ['balances_daily', 4],
    ] as const) {
      const parts = readdirSync(join(directory, name)).filter((file) => /^part-.*parquet$/.test(file));
      expect(parts.length, name).toBeGreaterThanOrEqual(least);
    }
  },
  600_000,
);
