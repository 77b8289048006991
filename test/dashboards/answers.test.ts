// Every query that is handed out, asked as a reader of the mirror: those of the dashboards, expanded as Grafana would, of
// which none comes back empty where there is something to see, and those of docs/sql.md, which answer as printed there.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { grantReading } from '../../src/store/grants.ts';
import { onCleanup } from '../support/cleanup.ts';
import { testRole } from '../support/roles.ts';
import type { Mirror } from '../sync/mirror.ts';
import { type Board, readBoards, type Variable } from './boards.ts';
import { type Chosen, expandQuery, type Variables } from './grafana.ts';
import { mirrorOfJune, now } from './june.ts';
import { answeredAnew, queriesOf } from './sql-document.ts';

const boards = readBoards();
const range = { from: new Date('2026-06-08T00:00:00Z'), to: new Date(now) };
let reader: pg.Pool;

beforeAll(async () => {
  reader = await openReader(await mirrorOfJune());
}, 300_000);

/** A pool as a role that was granted reading and nothing else, as Grafana's data source is to be. */
async function openReader(mirror: Mirror): Promise<pg.Pool> {
  const role = await testRole(mirror);
  await grantReading(mirror.context.database, role.name);
  const pool = new pg.Pool({ connectionString: role.url, max: 2 });
  pool.on('error', () => undefined);
  onCleanup(() => pool.end());
  return pool;
}

type Cell = Readonly<Record<string, unknown>>;

async function ask(sql: string): Promise<readonly Cell[]> {
  try {
    return (await reader.query<Record<string, unknown>>(sql)).rows;
  } catch (error) {
    throw new Error(`${error}\n${sql}`, { cause: error });
  }
}

/** Fills in the variables one after the other, as Grafana does: each may ask with those before it. */
async function chooseVariables(board: Board, chooseFrom = firstOf): Promise<Variables> {
  const chosen: Record<string, Chosen> = {};
  for (const variable of board.templating.list)
    chosen[variable.name] = chooseFrom(variable, await optionsOf(variable, chosen));
  return chosen;
}

async function optionsOf({ name, type, query }: Variable, chosen: Variables): Promise<readonly string[]> {
  if (type === 'custom') return query.split(',');
  const rows = await ask(expandQuery(query, chosen, range));
  expect(rows, `the options of ${name}`).not.toEqual([]);
  return rows.map((row) => String(Object.values(row)[0]));
}

/** What the dashboard opens with. */
function firstOf({ current, includeAll, allValue, multi }: Variable, options: readonly string[]): Chosen {
  const several = multi || includeAll;
  const saved = [current.value ?? options[0] ?? ''].flat();
  if (saved[0] !== '$__all') return { value: saved[0] ?? '', several };
  return { value: allValue ?? options, several, verbatim: allValue !== undefined };
}

/** A choice of single values where several can be chosen. */
function someOf(variable: Variable, options: readonly string[]): Chosen {
  return variable.multi ? { value: options.slice(0, 2), several: true } : firstOf(variable, options);
}

/** An account that holds nothing. */
function nothingOf(variable: Variable, options: readonly string[]): Chosen {
  return variable.name === 'account' ? { value: "no'body", several: false } : firstOf(variable, options);
}

describe.each(boards.map((board) => [board.title, board] as const))('%s', (_title, board) => {
  test('no query fails, and none comes back empty', async () => {
    const variables = await chooseVariables(board);
    const empty: string[] = [];
    for (const { title, targets } of board.panels)
      for (const { rawSql, format } of targets ?? []) {
        const rows = await ask(expandQuery(rawSql, variables, range));
        if (!rows.some((row) => Object.values(row).some((value) => value !== null))) empty.push(title);
        if (format === 'time_series') expectSeries(title, rows);
      }
    expect(empty).toEqual([]);
  });

  test('no query fails for a few values, and for an account that holds nothing', async () => {
    for (const choose of [someOf, nothingOf]) {
      const variables = await chooseVariables(board, choose).catch(async () => ({
        ...(await chooseVariables(board)),
        account: { value: "no'body", several: false },
      }));
      for (const { targets } of board.panels)
        for (const { rawSql } of targets ?? []) await ask(expandQuery(rawSql, variables, range));
    }
  });
});

/** Grafana wants the time first, rising, and refuses a series otherwise; everything but `metric` is to be a number. */
function expectSeries(title: string, rows: readonly Cell[]): void {
  const times = rows.map(({ time }) => (time instanceof Date ? time.getTime() : Number(time)));
  expect(times.every(Number.isFinite), title).toBe(true);
  expect(times, title).toEqual(times.toSorted((a, b) => a - b));
  for (const { time: _time, metric, ...values } of rows) {
    expect(['string', 'undefined'], title).toContain(typeof metric);
    for (const value of Object.values(values)) expect(Number(value ?? 0), title).not.toBeNaN();
  }
}

describe('docs/sql.md', () => {
  const path = fileURLToPath(new URL('../../docs/sql.md', import.meta.url));

  // After an intended change: `npm run docs:sql`.
  test('each query answers what is printed below it', async () => {
    await expect(await answeredAnew(await readFile(path, 'utf8'), reader)).toMatchFileSnapshot(path);
  });

  test('each of the twelve questions has a query, each query an answer, and they read the views alone', async () => {
    const document = await readFile(path, 'utf8');
    const questions = document.split(/^## \d+\. /m).slice(1);
    expect(questions.length).toBe(12);
    for (const question of questions) {
      const queries = queriesOf(question);
      expect(queries.length).toBeGreaterThan(0);
      expect(question.match(/^```\n[^\n]+\n[-+]+\n.+\n/gm)?.length).toBe(queries.length);
      for (const sql of queries)
        for (const [, relation] of sql.matchAll(/\b(?:from|join) ([\w.]+)/g))
          expect(relation).toMatch(/^reporting\./);
    }
  });
});
