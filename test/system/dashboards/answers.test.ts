// Every query that is handed out, asked as a reader of the mirror: those of the dashboards, expanded as
// Grafana would, of which none comes back empty where there is something to see, and those of docs/sql.md,
// which answer as printed there.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { grant, reading } from '../../../src/store/roles/grants.ts';
import { onCleanup } from '../../support/cleanup.ts';
import type { TestDatabase } from '../../support/database.ts';
import { testRole } from '../../support/roles.ts';
import { account, open, openStore } from '../../support/store.ts';
import { inZones } from '../../support/time-zone.ts';
import { type Board, readBoards, type Variable } from './boards.ts';
import { type Chosen, expandQuery, type TimeRange, type Variables } from './grafana.ts';
import { mirrorOfJune, now } from './june.ts';
import { answeredAnew, queriesOf } from './sql-document.ts';

const boards = readBoards();
const path = fileURLToPath(new URL('../../../docs/sql.md', import.meta.url));
const sqlDocument = readFileSync(path, 'utf8');
const range = { from: new Date('2026-06-08T00:00:00Z'), to: new Date(now) };
let reader: pg.Pool;
let mirror: TestDatabase;

beforeAll(async () => {
  mirror = await mirrorOfJune();
  reader = await openReader(mirror);
}, 300_000);

/** A pool as a role that was granted reading and nothing else, as Grafana's data source is to be. */
async function openReader(mirror: TestDatabase): Promise<pg.Pool> {
  const role = await testRole(mirror);
  await grant(open(mirror.url), role.name, reading);
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

/** What a panel answers for a range, with the variables the dashboard opens with. */
async function askPanel(title: string, within: TimeRange): Promise<readonly Cell[]> {
  const board = boards.find(({ panels }) => panels.some((panel) => panel.title === title));
  const sql = board?.panels.find((panel) => panel.title === title)?.targets?.[0]?.rawSql;
  if (board === undefined || sql === undefined) throw new Error(`there is no panel ${title}`);
  return await ask(expandQuery(sql, await chooseVariables(board), within));
}

/** Changes the mirror while something is asked of it. */
async function changed(change: string, undo: string, work: () => Promise<void>): Promise<void> {
  await mirror.query(change);
  try {
    await work();
  } finally {
    await mirror.query(undo);
  }
}

describe('days and unknown figures', () => {
  test('a range shows the days of the account that it touches, wherever the account is, and today', async () => {
    await changed(inZones('Pacific/Auckland'), inZones('UTC'), async () => {
      // From half past midnight until noon of June 16, there; in UTC all of it is June 15.
      const morning = { from: new Date('2026-06-15T12:30:00Z'), to: new Date('2026-06-15T23:30:00Z') };
      for (const title of ['Net flow per day', 'Outcomes per day']) {
        const times = (await askPanel(title, morning)).map(({ time }) => (time as Date).toISOString());
        expect(new Set(times), title).toEqual(new Set(['2026-06-15T12:00:00.000Z']));
      }
      const observed = (await askPanel('Balance by asset', morning)).map(({ time }) =>
        (time as Date).getTime(),
      );
      expect(observed.length).toBeGreaterThan(0);
      for (const at of observed) {
        expect(at).toBeGreaterThanOrEqual(Date.parse('2026-06-15T12:00:00Z'));
        expect(at).toBeLessThan(Date.parse('2026-06-16T12:00:00Z'));
      }
      const today = { from: new Date('2026-06-19T13:00:00Z'), to: new Date(now) };
      expect((await askPanel('Balance by asset', today)).length).toBeGreaterThan(0);
    });
  });

  test('a sum over an amount that is not known is empty', async () => {
    const flow = `from custody.transactions where asset_id = 'USDC' and transaction_type = 'deposit' and status = 'completed'
      and status_changed_at > '2026-06-11'`;
    const [kept] = await mirror.query<{ id: string; amount: string }>(
      `select transaction_id as id, amount ${flow} order by status_changed_at limit 1`,
    );
    const set = (amount: string) =>
      `update custody.transactions set amount = ${amount} where transaction_id = '${kept?.id}'`;
    await changed(set('null'), set(String(kept?.amount)), async () => {
      const flows = await askPanel('Flows by asset', range);
      expect(flows.find((row) => row['asset_id'] === 'USDC')).toMatchObject({
        in_amount: null,
        net_amount: null,
      });
      expect(flows.find((row) => row['asset_id'] === 'USDC')?.['out_amount']).not.toBeNull();
      const net = await askPanel('Net flow per day', range);
      expect(net.filter((row) => row['metric'] === 'USDC' && row['value'] === null)).toHaveLength(1);
    });
  });

  test('where nothing was read yet, no panel and no query of docs/sql.md states a figure', async () => {
    const { query } = await openStore();
    const states = async (sql: string) =>
      (await query(sql)).some((row) => Object.values(row).some((value) => value !== null));
    const found: string[] = [];
    // Operations, freshness and health say how the mirror is, also before it read anything.
    const ofMirror = /^select (?:health|resource)\b.*\sfrom reporting\.(?:sync_health|data_freshness)\b/s;
    for (const board of boards.filter(({ file }) => file !== 'operations.json')) {
      const variables = { ...(await chooseVariables(board)), account: { value: account, several: false } };
      for (const { title, targets = [] } of board.panels)
        for (const { rawSql } of targets)
          if (!ofMirror.test(rawSql) && (await states(expandQuery(rawSql, variables, range))))
            found.push(title);
    }
    for (const sql of queriesOf(sqlDocument)) if (!ofMirror.test(sql) && (await states(sql))) found.push(sql);
    expect(found).toEqual([]);
  });

  test('a balance that cannot be read leaves values empty, and is counted as unknown', async () => {
    expect(await askPanel('Unknown balances', range)).toEqual([{ assets: '0' }]);
    const unreadable = `insert into custody.unreadable_balances (account_id, vault_type, asset_id, network_id, valid_from)
      select b.account_id, b.vault_type, b.asset_id, b.network_id, s.at from custody.balances b,
        (select max(snapshot_at) as at from custody.balance_snapshots) s
      where b.asset_id = 'BTC' and b.valid_to is null`;
    await changed(unreadable, 'delete from custody.unreadable_balances', async () => {
      expect(await askPanel('Unknown balances', range)).toEqual([{ assets: '1' }]);
      expect(await askPanel('Value', range)).toEqual([{ value: null }]);
      expect(await askPanel('Cold share of the value', range)).toEqual([{ cold_share: null }]);
      const shares = await askPanel('Concentration', range);
      expect(shares[0]).toEqual({ asset_id: 'BTC', value: null, share: null });
      expect(shares.every(({ share }) => share === null)).toBe(true);
      const [split] = await askPanel('Warm and cold', range);
      expect(split).toMatchObject({ asset_id: 'BTC', all_total: null, difference: null, is_known: false });
      expect(await askPanel('Staked and claimable', range)).toContainEqual(
        expect.objectContaining({ asset_id: 'BTC', is_known: false }),
      );
      // What each asset is worth, and its share.
      const [worth = ''] = queriesOf(sqlDocument).filter((sql) => sql.includes('as percent'));
      const assets = await ask(worth);
      expect(assets.find(({ asset_id }) => asset_id === 'BTC')).toMatchObject({ usd: null });
      expect(assets.every(({ percent }) => percent === null)).toBe(true);
    });
  });

  const lastly = (sql: string) => `begin; set local session_replication_role = replica; ${sql}; commit`;
  const lastOfAll = '(select max(snapshot_at) from custody.balance_snapshots)';

  test('a record of which nobody can read what it is leaves every sum empty, and counts as an unknown balance', async () => {
    const set = (count: number) =>
      lastly(
        `update custody.balance_snapshots set unidentified_count = ${count} where snapshot_at = ${lastOfAll}`,
      );
    await changed(set(1), set(0), async () => {
      expect(await askPanel('Unknown balances', range)).toEqual([{ assets: '1' }]);
      expect(await askPanel('Value', range)).toEqual([{ value: null }]);
      expect(await askPanel('Cold share of the value', range)).toEqual([{ cold_share: null }]);
      const shares = await askPanel('Concentration', range);
      expect(shares.some(({ value }) => value !== null)).toBe(true);
      expect(shares.every(({ share }) => share === null)).toBe(true);
    });
  });

  test('where warm vaults were observed after cold ones, no share of the two is stated', async () => {
    const later = `insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count,
        changed_count, quarantined_count, run_id)
      select account_id, vault_type, snapshot_at + interval '1 second', asked_at, answered_at, asset_count, 0, 0, run_id
      from custody.balance_snapshots where vault_type = 'warm' and snapshot_at = ${lastOfAll}`;
    const undo = `delete from custody.balance_snapshots where snapshot_at = ${lastOfAll}`;
    const [share] = await askPanel('Cold share of the value', range);
    expect(share?.['cold_share']).not.toBeNull();
    await changed(lastly(later), lastly(undo), async () => {
      expect(await askPanel('Cold share of the value', range)).toEqual([{ cold_share: null }]);
    });
  });
});

/**
 * Grafana wants the time first, rising, and refuses a series otherwise; everything but `metric` is to be a
 * number.
 */
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
  // After an intended change: `npm run generate`.
  test('each query answers what is printed below it', async () => {
    await expect(await answeredAnew(sqlDocument, reader)).toMatchFileSnapshot(path);
  });

  test('each of the twelve questions has a query, each query an answer, and they read the views alone', async () => {
    const questions = sqlDocument.split(/^## \d+\. /m).slice(1);
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
