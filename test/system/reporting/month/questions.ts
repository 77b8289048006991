// Everything that can be asked of a mirror, found where it is handed out: the views and functions in the
// catalogue, the panels in the dashboards, the queries in docs/sql.md, the alerts in the rules. What is added
// there is asked here, and wants an entry.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { createMetrics } from '../../../../src/base/metrics.ts';
import { renderStatus } from '../../../../src/cli/commands/status.ts';
import { observeStatus } from '../../../../src/server/metrics-source.ts';
import { readStatus, type StatusReport } from '../../../../src/store/job-queries/status.ts';
import type { TestDatabase } from '../../../support/database.ts';
import { startSite } from '../../../support/site.ts';
import { open } from '../../../support/store.ts';
import { readBoards } from '../../dashboards/boards.ts';
import { expandQuery } from '../../dashboards/grafana.ts';
import { queriesOf } from '../../dashboards/sql-document.ts';
import type { MonthClock } from './clock.ts';

export type Row = Record<string, unknown>;

const textOf = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

/** All but those of one value, which state nothing of an account. */
export async function relationsOf({ query }: TestDatabase): Promise<readonly string[]> {
  const rows = await query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'reporting'::regnamespace and relkind in ('v', 'm', 'r')
     union all
     select proname || '()' from pg_proc where pronamespace = 'reporting'::regnamespace and proretset order by 1`,
  );
  return rows.map(({ name }) => name);
}

const from = new Date('2025-06-01T00:00:00Z');

/** The queries of every panel, by dashboard and title, over the month until then. */
export function panelQueries(account: string, now: string): ReadonlyMap<string, string> {
  const all = { value: ['*'], several: true };
  const chosen = {
    account: { value: account, several: false },
    asset: all,
    transaction_type: all,
    vault_type: { value: 'all', several: false },
    currency: { value: 'USD', several: false },
    stuck_hours: { value: '24', several: false },
  };
  return new Map(
    readBoards().flatMap(({ title: board, panels }) =>
      panels.flatMap(({ title, targets = [] }) =>
        targets.map(({ rawSql }) => [
          `${board.replace('Custody mirror: ', '')}: ${title}`,
          expandQuery(rawSql, chosen, { from, to: new Date(now) }),
        ]),
      ),
    ),
  );
}

/** Relations of a query with the alias that some of them have. */
const relation = /\breporting\.(\w+)( (?:t|v)\b)?/g;
const ofOwn = (_: string, name: string, alias = name) =>
  `(select * from reporting.${name} where account_id = 'default') as ${alias}`;

/**
 * By the number of its question and its place in it; they ask of June, and of the account that is mirrored.
 */
export function documentQueries(): ReadonlyMap<string, string> {
  const questions = textOf('docs/sql.md')
    .split(/^## (?=\d+\. )/m)
    .slice(1);
  return new Map(
    questions.flatMap((question) =>
      queriesOf(question).map((sql, index) => [
        `${Number.parseInt(question, 10)}.${index + 1}`,
        sql.replaceAll("'2026-", "'2025-").replaceAll(relation, ofOwn),
      ]),
    ),
  );
}

export interface Rule {
  readonly alert: string;
  readonly expr: string;
}

export function alertRules(): readonly Rule[] {
  const { groups } = parse(textOf('deploy/prometheus/custody-mirror.rules.yaml')) as {
    groups: { rules: Rule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

export interface Told {
  readonly report: StatusReport;
  /** What the command prints on a wide terminal. */
  readonly printed: string;
  /** Text of the page. */
  readonly page: string;
  readonly metrics: string;
}

/** What the command, the page and the metrics tell of an account. */
export async function statusOf({ url }: MonthClock, account: string): Promise<Told> {
  const metrics = createMetrics();
  const database = open(url, { metrics });
  const report = await readStatus(database, account);
  observeStatus(metrics, report);
  const site = await startSite(url, { of: account, readStatus: () => Promise.resolve(report), metrics });
  const page = await site.page('/sync');
  await database.close();
  const printed = renderStatus(report, { color: false, width: 400 }).replace(/[ ]+/g, ' ');
  return { report, printed, page: page.text, metrics: await metrics.registry.metrics() };
}
