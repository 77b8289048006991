// `npm run bench:reporting`: builds a mirror of some years in an embedded PostgreSQL, runs typical queries on
// every view of reporting, and compares each with a sequential scan of the fact table that a slow plan would
// read.
import { cpus, totalmem } from 'node:os';
import type pg from 'pg';
import { freshDatabase, onBenchServer, withConnection } from './databases.ts';
import { runBench } from './refuse.ts';
import { type FactTable, factTables, type ReportQuery } from './report-query.ts';
import { buildLastDay, buildReportingData, vacuumAsAutovacuum } from './reporting-data.ts';
import { parseReportingOptions, type ReportingBenchOptions } from './reporting-options.ts';
import { planQuery } from './reporting-plans.ts';
import { reportQueries } from './reporting-queries.ts';

const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

async function bench(options: ReportingBenchOptions): Promise<void> {
  if (queriesOf(options).length === 0) throw new RangeError(`no view is named like ${options.view}`);
  await onBenchServer('bench-reporting', async ({ postgres, signal }) => {
    const url = await freshDatabase(postgres, 'bench_reporting');
    await withConnection(url, async (client) => {
      await describe(client);
      await build(client, options, signal);
      await measure(client, options, signal);
    });
  });
}

function queriesOf({ view }: ReportingBenchOptions): readonly ReportQuery[] {
  return reportQueries.filter((query) => view === null || query.view.includes(view));
}

async function describe(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; buffers: string }>(
    `select current_setting('server_version') as version, current_setting('shared_buffers') as buffers`,
  );
  const [cpu] = cpus();
  console.log(
    `${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB; Node ${process.versions.node}, PostgreSQL ${rows[0]?.version}, shared_buffers=${rows[0]?.buffers}`,
  );
}

async function build(client: pg.Client, { size }: ReportingBenchOptions, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  await buildReportingData(client, size, (label, seconds) => {
    signal.throwIfAborted();
    if (seconds > 1) console.log(`  built ${label} in ${seconds.toFixed(0)} s`);
  });
  await vacuumAsAutovacuum(client);
  await buildLastDay(client, size);
  await vacuumAsAutovacuum(client);
  console.log(`built in ${((performance.now() - startedAt) / 1000).toFixed(0)} s:`);
  for (const table of factTables) {
    const { rows } = await client.query<{ rows: string; size: string }>(
      `select count(*) as rows, pg_size_pretty(pg_total_relation_size('custody.${table}')) as size from custody.${table}`,
    );
    console.log(
      `  custody.${table}: ${count.format(Number(rows[0]?.rows))} rows, ${rows[0]?.size} with indexes`,
    );
  }
}

async function measure(
  client: pg.Client,
  options: ReportingBenchOptions,
  signal: AbortSignal,
): Promise<void> {
  const { rounds, plans } = options;
  const queries = queriesOf(options);
  const scans = factTables.map((table) => ({ table, count: [] as number[], read: [] as number[] }));
  const asked = new Map<ReportQuery, { seconds: number[]; rows: number }>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const { table, count: counted, read } of scans) {
      counted.push(await scan(client, scanKinds.count(table)));
      read.push(await scan(client, scanKinds.read(table)));
    }
    for (const query of queries) {
      signal.throwIfAborted();
      const answer = await ask(client, query.sql);
      const before = asked.get(query)?.seconds ?? [];
      asked.set(query, { seconds: [...before, answer.seconds], rows: answer.rows });
    }
  }
  console.log(`\nmedians of ${rounds} rounds; ratio to reading every row of the fact table`);
  for (const { table, count: counted, read } of scans)
    console.log(
      `  ${table}: ${milliseconds(median(read))} ms to read every row, ${milliseconds(median(counted))} ms to count them`,
    );
  console.log(
    '\n| view | asked for | rows | ms | min–max | fact table | ratio |\n|---|---|--:|--:|--:|---|--:|',
  );
  const whole: string[] = [];
  for (const [query, { seconds, rows }] of asked) {
    const { view: name, asked: what, fact } = query;
    const plan = await planQuery(client, query.sql);
    if (!query.isOfAll) whole.push(...plan.wholeReads.map((read) => `${name}, ${what}: ${read}`));
    const spread = `${milliseconds(Math.min(...seconds))}–${milliseconds(Math.max(...seconds))}`;
    const against =
      fact === null
        ? '| |'
        : `| \`${fact}\` | ${(median(seconds) / median(scans.find(({ table }) => table === fact)?.read ?? [])).toFixed(2)} |`;
    console.log(
      `| \`${name}\` | ${what} | ${count.format(rows)} | ${milliseconds(median(seconds))} | ${spread} ${against}`,
    );
    if (plans) console.log(plan.text);
  }
  if (whole.length > 0) throw new RangeError(`fact tables were read whole:\n${whole.join('\n')}`);
  console.log('\nno plan reads a whole fact table');
}

const scanKinds = {
  /** Finds every row, and reads no value. */
  count: (table: FactTable) => `select count(*) from custody.${table}`,
  /** Reads every value of every row and writes it as text, as an answer from the whole table would. */
  read: (table: FactTable) => `select sum(length(t::text)) from custody.${table} t`,
};

/** A sequential scan by one process. @returns seconds */
async function scan(client: pg.Client, sql: string): Promise<number> {
  await client.query('begin');
  await client.query(
    'set local enable_indexonlyscan = off; set local enable_indexscan = off; set local enable_bitmapscan = off; set local max_parallel_workers_per_gather = 0',
  );
  const { seconds } = await ask(client, sql);
  await client.query('commit');
  return seconds;
}

/** Runs a query. @returns the time to the last row, and the number of rows; values are not parsed */
async function ask(
  client: pg.Client,
  sql: string,
): Promise<{ readonly seconds: number; readonly rows: number }> {
  const startedAt = performance.now();
  const { rows } = await client.query({
    text: sql,
    rowMode: 'array',
    types: { getTypeParser: () => (value: unknown) => value },
  });
  return { seconds: (performance.now() - startedAt) / 1000, rows: rows.length };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function milliseconds(seconds: number): string {
  return seconds < 0.01 ? (seconds * 1000).toFixed(1) : count.format(seconds * 1000);
}

await runBench((args) => bench(parseReportingOptions(args)));
