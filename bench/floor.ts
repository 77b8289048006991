// The floor is the lower bound of a sweep: COPY of the rows that a sweep wrote (transactions and status
// history) from files into the same tables, with indexes, constraints, triggers and foreign keys, on the same
// server.
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { withConnection } from './databases.ts';

const tables = ['transactions', 'transaction_status_history'] as const;

export interface FloorInput {
  readonly directory: string;
  readonly format: 'binary' | 'text';
}

/** Writes the rows of a swept database to files, in the order in which they were written. */
export async function writeFloorInput(url: string, input: FloorInput): Promise<void> {
  await withConnection(url, async (client) => {
    for (const table of tables) {
      const rows = `copy custody.${table} (${await columnsOf(client, table)}) to stdout (format ${input.format})`;
      await pipeline(client.query(copyTo(rows)), createWriteStream(fileOf(input, table)));
    }
  });
}

/**
 * Copies the rows into a migrated, empty database. @returns the seconds from the first statement to the last
 */
export async function measureFloor(url: string, input: FloorInput, transactions: number): Promise<number> {
  return await withConnection(url, async (client) => {
    await client.query(`insert into custody.accounts (account_id, base_url, first_seen_at)
      values ('default', 'http://floor.invalid', now())`);
    const statements = new Map<string, string>();
    for (const table of tables) {
      const columns = await columnsOf(client, table);
      statements.set(table, `copy custody.${table} (${columns}) from stdin (format ${input.format})`);
    }
    const began = performance.now();
    for (const [table, statement] of statements) {
      const file = createReadStream(fileOf(input, table), { highWaterMark: 256 * 1024 });
      await pipeline(file, client.query(copyFrom(statement)));
    }
    const seconds = (performance.now() - began) / 1000;
    await checkRows(client, transactions);
    return seconds;
  });
}

async function checkRows(client: pg.Client, transactions: number): Promise<void> {
  for (const table of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from custody.${table}`);
    if (Number(rows[0]?.count) !== transactions)
      throw new Error(`the floor wrote ${rows[0]?.count} rows of ${table} instead of ${transactions}`);
  }
}

async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [`custody.${table}`],
  );
  return rows[0]?.columns ?? '';
}

function fileOf({ directory }: FloorInput, table: string): string {
  return join(directory, `${table}.copy`);
}
