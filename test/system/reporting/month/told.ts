// What the command, the page, the metrics and the alert rules must tell, moment by moment.
import { expect } from 'vitest';
import { order } from './answers.ts';
import type { Rule, Told } from './questions.ts';
import type { Moment } from './world.ts';

/** The heading of the page, and what each of its four figures is. */
const tiles: Readonly<Record<Moment, readonly string[]>> = {
  unread: [
    'Needs attention',
    'transactions unknown never read balances unknown never read vaults unknown never read whitelist unknown never read No job has run yet',
  ],
  'balances fail, whitelist denied': [
    'transactions 6 1 not settled',
    'balances unknown never read vaults unknown never read whitelist unknown never read Jobs',
  ],
  'balances read': [
    'balances 4 assets',
    'of them 1 in cold vaults, 4 in warm vaults vaults unknown never read whitelist unknown never read Jobs',
  ],
  'figure unreadable': [
    '3 records of balances could not be read',
    'not readable',
    'whitelist unknown never read Jobs',
  ],
  'key unreadable': [
    '2 records of balances could not be read',
    'not readable',
    'whitelist unknown never read Jobs',
  ],
  'stranger unreadable': [
    '3 records of balances could not be read',
    'not readable',
    'whitelist unknown never read Jobs',
  ],
  'whitelist read': ['vaults unknown never read whitelist 1 Jobs'],
  'odd transactions': ['1 record of transactions could not be read', '1 on hold, 1 pending'],
  'late news': ['1 no longer listed by the service', 'vaults unknown never read whitelist 1 Jobs'],
  down: ['No process is writing: nothing is mirrored until one does', 'as of 2 days ago'],
  'cold fails': [
    'balances 4 assets, as of 4 min ago of them 1 in cold vaults (1 day ago), 4 in warm vaults vaults unknown',
  ],
  end: [
    'Healthy Everything but vaults is mirrored and fresh.',
    'vaults unknown not mirrored: left out of CUSTODY_RESOURCES whitelist 1 Jobs',
  ],
};

/** Total of transactions, vault types observed, vaults, whitelist entries. */
const reported: Readonly<Record<Moment, readonly [number | null, number, number | null, number | null]>> = {
  unread: [null, 0, null, null],
  'balances fail, whitelist denied': [6, 0, null, null],
  'balances read': [7, 3, null, null],
  'figure unreadable': [7, 3, null, null],
  'key unreadable': [7, 3, null, null],
  'stranger unreadable': [7, 3, null, null],
  'whitelist read': [11, 3, null, 1],
  'odd transactions': [15, 3, null, 1],
  'late news': [15, 3, null, 1],
  down: [15, 3, null, 1],
  'cold fails': [17, 3, null, 1],
  end: [17, 3, null, 1],
};

export function checkTold(moment: Moment, { report, page, printed }: Told): void {
  for (const text of tiles[moment]) expect.soft(page, moment).toContain(text);
  if (moment !== 'end') expect.soft(page, moment).not.toContain('Healthy');
  // The command counts as the page does.
  const [total, , , entries] = reported[moment];
  expect.soft(printed, moment).toContain(`transactions ${total ?? 'unknown'}`);
  expect.soft(printed, moment).toContain('vaults unknown');
  expect.soft(printed, moment).toContain(`whitelist ${entries ?? 'unknown'}`);
  const { transactions, balances, vaults, whitelist } = report;
  expect
    .soft([transactions.total, balances.length, vaults.present, whitelist.present], moment)
    .toEqual(reported[moment]);
}

/**
 * An account that holds nothing, and of which nothing else is mirrored: it is known to be empty once several
 * readings showed it.
 */
export function checkEmpty(moment: Moment, { report, page }: Told): void {
  expect
    .soft(page, moment)
    .toContain(
      'vaults unknown not mirrored: left out of CUSTODY_RESOURCES whitelist unknown not mirrored: left out of CUSTODY_RESOURCES',
    );
  const isKnown = order.indexOf(moment) > 1;
  expect.soft(report.transactions.total, moment).toBe(isKnown ? 0 : null);
  expect.soft([report.vaults.present, report.whitelist.present], moment).toEqual([null, null]);
  if (isKnown) expect.soft(page, moment).toContain('transactions 0 last sweep');
  expect
    .soft(page.includes('Healthy Everything but vaults and whitelist is mirrored'), moment)
    .toBe(isKnown && moment !== 'down');
}

/**
 * Whether a rule holds at an instant, for as long as `for` asks; null where it judges the process alone, not
 * what is mirrored.
 */
export function firing({ expr }: Rule, metrics: string, nowSeconds: number): boolean | null {
  const series = (name: string, matchers: string) =>
    metrics
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) =>
        [...matchers.matchAll(/(\w+)(=~?|!=)"([^"]*)"/g)].every(([, label, operator, wanted = '']) => {
          const value = new RegExp(`[{,]${label}="([^"]*)"`).exec(line)?.[1] ?? '';
          return operator === '!=' ? value !== wanted : wanted.split('|').includes(value);
        }),
      )
      .map((line) => Number(line.slice(line.lastIndexOf(' '))));
  const age =
    /^time\(\) - max by \(account\) \((last_over_time\((\w+)\[1d\]\))\) > (\d+) or absent\(\1\)$/.exec(
      // No account of the month rests on purpose.
      expr.replace(/ unless on \(account\) .*(?= or absent\()/, ''),
    );
  if (age !== null) {
    const found = series(age[2] ?? '', '');
    return found.length === 0 || nowSeconds - Math.max(...found) > Number(age[3]);
  }
  const most =
    /^max by \((?:account|instance)(?:, \w+)?\) \((custody_mirror_(?:health_problem|anomalies_open|quarantine_open_records))(?:\{([^}]*)\})?\) (==|>) (\d+)$/.exec(
      expr,
    );
  if (most === null) return null;
  const [, name = '', matchers = '', operator, bound] = most;
  return series(name, matchers).some((value) =>
    operator === '>' ? value > Number(bound) : value === Number(bound),
  );
}

const until = (last: number): readonly Moment[] => order.slice(0, last + 1);

/** At which moments each alert fires; `process` judges what runs, whatever is mirrored. */
export const alerts: Readonly<Record<string, readonly Moment[] | 'process'>> = {
  CustodyMirrorNoWriter: ['down'],
  CustodyMirrorReplicaBehind: [],
  CustodyMirrorStatusOld: [],
  CustodyMirrorTwoWriters: 'process',
  // Vaults were never read, until they were switched off.
  CustodyMirrorNothingRead: until(10),
  CustodyMirrorTransactionsStale: ['down'],
  CustodyMirrorStale: ['down', 'cold fails'],
  CustodyMirrorNotVerified: [],
  CustodyMirrorKeyRejected: 'process',
  CustodyMirrorRunsFailing: ['balances fail, whitelist denied', 'cold fails'],
  CustodyMirrorScheduleFailing: 'process',
  CustodyMirrorRateLimited: 'process',
  CustodyMirrorQuarantine: ['figure unreadable', 'key unreadable', 'stranger unreadable', 'odd transactions'],
  CustodyMirrorHistoryAltered: [],
  CustodyMirrorSealingStopped: [],
  CustodyMirrorManyMissing: [],
  CustodyMirrorClockBehind: [],
  CustodyMirrorSettledStatusLeft: [],
  CustodyMirrorDatabaseBusy: 'process',
  CustodyMirrorEventLoopSlow: 'process',
};
