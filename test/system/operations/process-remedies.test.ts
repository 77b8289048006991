// What the alerts about a process and its database advise, done while they fire. Whether they fire is decided
// as in their rules, from what /metrics says.
import pg from 'pg';
import { expect } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { type Daemon, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { longTest } from '../../support/form.ts';
import { waitFor } from '../../support/wait-for.ts';
import { blocksUnder } from '../docs/blocks.ts';
import { openOperator, ruleOf } from './operator.ts';

/** The sums of the series that selectors of PromQL choose, of one moment. */
async function totals(daemon: Daemon, selectors: readonly string[]): Promise<readonly number[]> {
  const { text } = await daemon.get('/metrics');
  const series = [...text.matchAll(/^(\w+)\{(.*)\} (\S+)$/gm)];
  return selectors.map((selector) => {
    const [, name, le = '', without = '^$'] =
      /^(\w+)(?:\{(?:(le="\d+"), )?statement!~"([^"]*)"\})?$/.exec(selector) ?? [];
    const left = new RegExp(`statement="(?:${without})"`);
    return series
      .filter(([, of, labels = '']) => of === name && labels.includes(le) && !left.test(labels))
      .reduce((sum, [, , , value]) => sum + Number(value), 0);
  });
}

longTest(
  'another session holds a lock: the query names it, and its end lets the mirror go on',
  async () => {
    const { database, service, untilHealthy } = await openOperator();
    const daemon = await startDaemon(service, database, { LEASE_TTL_MS: '20000' });
    await untilWriter(database, daemon);
    await untilHealthy();
    const { expr, description } = ruleOf('CustodyMirrorDatabaseBusy');
    const selectors = [...expr.matchAll(/rate\((.*?)\[/g)].map(([, selector = '']) => selector);
    const bound = Number(/< (\S+)$/.exec(expr)?.[1]);
    const counts = () => totals(daemon, selectors);
    const share = async ([quickThen = 0, allThen = 0]: readonly number[]) => {
      const [quick = 0, all = 0] = await counts();
      return (quick - quickThen) / (all - allThen);
    };

    const holder = new pg.Client(database.url);
    holder.on('error', () => undefined);
    await holder.connect();
    onCleanup(() => holder.end().catch(() => undefined));
    // Every job writes its runs: none of them goes on beside.
    await holder.query('begin; lock table custody.transactions, sync.runs in access exclusive mode');
    const since = await counts();
    await waitFor(async () => (await share(since)) < bound, { what: 'the alert', deadlineMs: 170_000 });

    expect(description).toContain('docs/operations.md#when-the-database-is-slow');
    const [sql = ''] = blocksUnder('docs/operations.md, When the database is slow', 'sql');
    // Between two attempts nobody waits.
    const ask = async () => (await database.query<{ holds: number; of: string }>(sql))[0];
    const found = await waitFor(ask, { what: 'a session that waits' });
    expect(found?.of).toMatch(/^custody-mirror/);
    await database.query('select pg_terminate_backend($1)', [found?.holds]);
    await untilHealthy();
    const then = await counts();
    const [, all = 0] = then;
    await waitFor(async () => ((await counts())[1] ?? 0) > all + 100, { what: 'a hundred statements' });
    expect(await share(then)).toBe(1);
    expect(await ask()).toBeUndefined();
    await stopGracefully(daemon);
  },
  290_000,
);

longTest(
  'a process is short of processor time: with more of it the alert ends, and it keeps its lease',
  async () => {
    const { database, service } = await openOperator();
    const daemon = await startDaemon(service, database);
    await untilWriter(database, daemon);
    const { expr } = ruleOf('CustodyMirrorEventLoopSlow');
    const [, name = '', bound] = /\((custody_mirror_\w+)\) > (\S+)$/.exec(expr) ?? [];
    const isSlow = async () => ((await totals(daemon, [name]))[0] ?? 0) > Number(bound);
    await waitFor(async () => !(await isSlow()), { what: 'a calm process' });
    // Most of the time others have the processor. A scrape in between would end the sample in progress.
    const isStarved = async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        daemon.kill('SIGSTOP');
        await new Promise((resolve) => setTimeout(resolve, 2_500));
        daemon.kill('SIGCONT');
        await daemon.get('/healthz');
      }
      return await isSlow();
    };
    await waitFor(isStarved, { what: 'the alert' });
    await waitFor(async () => !(await isSlow()), { what: 'a calm process again' });
    await untilWriter(database, daemon);
    await stopGracefully(daemon);
  },
  120_000,
);
