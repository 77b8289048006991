import { expect, test } from 'vitest';
import type { FigureQuestion, FigureRow } from '../../src/store/job-queries/account-figures.ts';
import type { StatusReport } from '../../src/store/job-queries/status.ts';
import { capturingLogger } from '../support/loggers.ts';
import { startServer } from '../support/running-server.ts';
import { problem, readAt, statusReport } from '../support/status-report.ts';
import { unreachable } from './silent-database.ts';

/** A server that tells of two accounts, on a clock that the test moves. */
async function startFleet() {
  const clock = { ms: 0 };
  const asked: string[] = [];
  const fails = new Set<string>();
  const { logger, entries } = capturingLogger();
  const read = { status: async (): Promise<readonly StatusReport[]> => accounts };
  const { get } = await startServer({
    logger,
    monotonicMs: () => clock.ms,
    readAllStatus: () => read.status(),
    figures: {
      accounts: async () => ['north', 'south'],
      async readFigure({ name, account }: FigureQuestion): Promise<readonly FigureRow[]> {
        asked.push(`${name} ${account}`);
        if (name === 'unexplainedDifferences') clock.ms += 1_500;
        if (fails.has(`${name} ${account}`)) throw new Error('statement timeout');
        if (name !== 'movedValue') return [{ labels: {}, value: asked.length }];
        return account === 'north' ? [{ labels: { direction: 'out', currency: 'USD' }, value: 7.5 }] : [];
      },
    },
  });
  const scrape = async (afterMs: number) => {
    clock.ms += afterMs;
    asked.length = 0;
    const text = await (await get('/metrics')).text();
    return {
      text,
      asked: [...asked],
      series: (name: string) => text.match(new RegExp(`^custody_mirror_${name}.*$`, 'gm')),
    };
  };
  return { scrape, fails, entries, read };
}

const accounts = [
  statusReport({ account: 'north' }),
  statusReport({ account: 'south', problems: [problem({ code: 'stopped', subject: 'account' })] }),
];

test('a process that serves all accounts reports each, and one that is fine hides none', async () => {
  const { scrape, read } = await startFleet();
  const { series, text } = await scrape(0);
  expect(series('healthy')).toEqual([
    'custody_mirror_healthy{account="north"} 1',
    'custody_mirror_healthy{account="south"} 0',
  ]);
  expect(series('health_problem')).toEqual([
    'custody_mirror_health_problem{code="stopped",severity="critical",subject="account",account="south"} 1',
  ]);
  expect(text).not.toContain('treasury');
  read.status = unreachable;
  const unknown = (await scrape(16_000)).series;
  expect(unknown('healthy')).toEqual([
    'custody_mirror_healthy{account="north"} Nan',
    'custody_mirror_healthy{account="south"} Nan',
  ]);
  expect([unknown('health_problem'), unknown('moved_value_last_hour')]).toEqual([null, null]);
});

test('a replica that is behind reports that, and no other problem as of then', async () => {
  const { scrape, read } = await startFleet();
  const problems = [problem({ code: 'replica-behind', subject: 'account' }), problem({ code: 'stale' })];
  read.status = async () => [statusReport({ account: 'north', problems })];
  const { series } = await scrape(0);
  expect(series('health_problem')).toEqual([
    'custody_mirror_health_problem{code="replica-behind",severity="critical",subject="account",account="north"} 1',
  ]);
  expect(series('healthy')).toEqual(['custody_mirror_healthy{account="north"} 0']);
});

test('next to processes that read the primary, a replica that is behind neither raises what is over nor is read again', async () => {
  const { scrape, read } = await startFleet();
  const before = (await scrape(0)).series;
  expect(before('open_since_timestamp_seconds')).toHaveLength(2);
  const behind = statusReport({
    account: 'north',
    readAt: new Date(Date.parse(readAt) + 600_000).toISOString(),
    problems: [problem({ code: 'replica-behind', subject: 'account' })],
    anomalies: [{ kind: 'too-many-missing', open: 1, lastObservedAt: readAt }],
    quarantine: [{ resource: 'transactions', open: 2, lastObservedAt: readAt }],
  });
  read.status = async () => [behind];
  for (const afterMs of [20_000, 61_000]) {
    const { series } = await scrape(afterMs);
    // By it an alert finds that nobody knows how the mirror is.
    expect(series('status_read_timestamp_seconds')).toEqual(before('status_read_timestamp_seconds'));
    for (const name of ['anomalies_open', 'quarantine_open_records', 'open_since_timestamp_seconds'])
      expect([name, series(`${name}{`)]).toEqual([name, null]);
  }
});

test('an account that left the database leaves the metrics', async () => {
  const { scrape, read } = await startFleet();
  expect((await scrape(0)).text).toContain('account="south"');
  read.status = async () => accounts.slice(0, 1);
  const { text } = await scrape(20_000);
  for (const name of ['healthy', 'status_read', 'last_success', 'last_verified'])
    expect(text).not.toMatch(new RegExp(`^custody_mirror_${name}.*account="south"`, 'm'));
});

test('what accounts do is read at most once a minute, and what takes long for a fiftieth of the time', async () => {
  const { scrape } = await startFleet();
  const first = await scrape(0);
  expect(first.asked).toHaveLength(8);
  expect(first.series('moved_value_last_hour')).toEqual([
    'custody_mirror_moved_value_last_hour{direction="out",currency="USD",account="north"} 7.5',
  ]);
  const again = await scrape(50_000);
  expect([again.asked, again.series('payments_non_whitelisted')]).toEqual([
    [],
    first.series('payments_non_whitelisted'),
  ]);
  expect((await scrape(15_000)).asked.filter((one) => one.startsWith('unexplained'))).toEqual([]);
  // Two accounts took 3 s: 150 s.
  expect((await scrape(86_000)).asked.filter((one) => one.startsWith('unexplained'))).toHaveLength(2);
});

test('a figure of one account that cannot be read has no series, is logged once, and costs the others nothing', async () => {
  const { scrape, fails, entries } = await startFleet();
  fails.add('paymentsOffWhitelist north');
  for (const afterMs of [0, 61_000]) {
    const { series } = await scrape(afterMs);
    expect(series('payments_non_whitelisted')).toEqual([expect.stringContaining('{account="south"}')]);
    expect(series('open_since_timestamp_seconds')).toHaveLength(2);
  }
  expect(entries().filter(({ level }) => level === 'warn')).toMatchObject([
    { msg: 'reading a figure for alerts failed', account: 'north', figure: 'paymentsOffWhitelist' },
  ]);
  fails.clear();
  expect((await scrape(61_000)).series('payments_non_whitelisted')).toHaveLength(2);
});
