// `npm run bench:indexes`: what each index of transactions and of their status history costs a first sweep.
// The rows of a sweep are copied, a page at a time and in its order, into a table without any index and into
// one with that index alone. Processor time of the server's process counts, which other work on the machine
// does not change; the least of the rounds is told.
import type pg from 'pg';
import { startCycledService } from './cycles.ts';
import { freshDatabase, onBenchServer, withConnection } from './databases.ts';
import { parseBenchOptions } from './options.ts';
import { processorMs } from './process-use.ts';

const transactions = 40_000;
const page = 500;
const rounds = 3;
const tables = ['custody.transactions', 'custody.transaction_status_history'];

interface Index {
  readonly name: string;
  readonly definition: string;
}

await onBenchServer('bench-indexes', async ({ postgres, signal }) => {
  const url = await freshDatabase(postgres, 'indexes');
  const service = await startCycledService(transactions, parseBenchOptions([]));
  try {
    await service.cycle(url, { name: 'first sweep', inserted: 0, changed: 0 }, { first: true });
  } finally {
    await service.stop();
  }
  await withConnection(url, async (client) => {
    // Each page is found by its rows' places: a join would read the whole history for it.
    await client.query('set enable_hashjoin = off; set enable_mergejoin = off');
    for (const table of tables) await measureTable(client, table, signal);
  });
});

async function measureTable(client: pg.Client, table: string, signal: AbortSignal): Promise<void> {
  const { rows: indexes } = await client.query<Index>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = $1::regclass order by indexrelid`,
    [table],
  );
  const least = new Map<string, { readonly ms: number; readonly bytes: number }>();
  const order = [{ name: 'none', definition: null }, ...indexes];
  for (let round = 0; round < rounds; round += 1)
    for (const { name, definition } of order) {
      signal.throwIfAborted();
      const taken = await copyOf(client, table, definition);
      if (taken.ms < (least.get(name)?.ms ?? Number.POSITIVE_INFINITY)) least.set(name, taken);
    }
  const bare = least.get('none')?.ms ?? 0;
  console.log(`${table}: ${transactions} rows without an index: ${bare.toFixed(0)} ms`);
  for (const { name } of indexes) {
    const { ms, bytes } = least.get(name) ?? { ms: 0, bytes: 0 };
    console.log(
      `  ${name}: ${(ms - bare).toFixed(0)} ms more, ${((ms - bare) / bare).toFixed(2)} of the bare copy, ${(bytes / 1024 / 1024).toFixed(1)} MiB`,
    );
  }
}

async function copyOf(client: pg.Client, table: string, definition: string | null) {
  const { rows: backend } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await client.query(
    `drop table if exists public.copy; create table public.copy (like ${table} including defaults)`,
  );
  if (definition !== null)
    await client.query(definition.replace(/INDEX \S+ ON \S+ /, 'INDEX copy_idx ON public.copy '));
  await client.query(
    `create temp table numbered on commit preserve rows as
     select (row_number() over (order by ctid) - 1) / ${page} as page, ctid as at from ${table}`,
  );
  await client.query('create index on numbered (page); analyze numbered; checkpoint');
  const before = processorMs(backend[0]?.pid);
  for (let number = 0; number * page < transactions; number += 1)
    await client.query(
      `insert into public.copy select t.* from numbered n join ${table} t on t.ctid = n.at where n.page = ${number}`,
    );
  // What a GIN index has put off.
  if (definition?.includes('USING gin'))
    await client.query(`select gin_clean_pending_list('public.copy_idx')`);
  const ms = processorMs(backend[0]?.pid) - before;
  const { rows } = await client.query<{ bytes: string }>(`select pg_indexes_size('public.copy') as bytes; `);
  await client.query('drop table numbered');
  return { ms, bytes: Number(rows[0]?.bytes ?? 0) };
}
