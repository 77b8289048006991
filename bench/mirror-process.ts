// One cycle of the transactions, composed as in `custody-mirror sync`: a sweep unless BENCH_FULL=no. It
// starts with a message, and reports its result and what this process used.
import { once } from 'node:events';
import { parseConfig } from '../src/base/config/config.ts';
import { createLogger } from '../src/base/logger.ts';
import { createMetrics, type Metrics } from '../src/base/metrics.ts';
import { createReleasers } from '../src/base/waiting.ts';
import { composeTools, holderName } from '../src/cli/setup/compose.ts';
import { limitHeapGrowth } from '../src/cli/setup/process-limits.ts';
import { runCycle } from '../src/sync/jobs/runners.ts';
import { withLease } from '../src/sync/run/lease-holder.ts';
import type { MirrorReport, StatementCost } from './messages.ts';

const config = parseConfig({ env: process.env, isTerminal: false });
const logger = createLogger({ level: 'error', format: 'json' });
const metrics = createMetrics();
const releasers = createReleasers(logger);
const tools = await composeTools(config, { logger, metrics, releasers }, new AbortController().signal);
const begin = once(process, 'message');
limitHeapGrowth();
process.send?.('ready');
await begin;

metrics.statementSeconds.reset();
const cpuBefore = process.cpuUsage();
const began = performance.now();
const held = await withLease(
  {
    ...tools,
    account: config.custody.account,
    holder: holderName(),
    ttlMs: config.leaseTtlMs,
  },
  new AbortController().signal,
  (lease, signal) =>
    runCycle({ ...tools, lease, signal }, ['transactions'], {
      full: process.env['BENCH_FULL'] !== 'no',
    }),
);
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
const [outcome] = 'value' in held ? held.value : [];
const report: MirrorReport = {
  seconds,
  cpuSeconds: (user + system) / 1e6,
  peakRssBytes: process.resourceUsage().maxRSS * 1024,
  records: outcome?.records ?? 0,
  inserted: outcome?.inserted ?? 0,
  changed: outcome?.changed ?? 0,
  requests: outcome?.requests ?? 0,
  verified: outcome?.verified ?? null,
  fault: outcome?.status === 'succeeded' ? null : (outcome?.errorMessage ?? 'the lease was not free'),
  statements: await statementCosts(metrics),
};
process.send?.(report);
await releasers.releaseAll(5_000);
process.disconnect();

async function statementCosts({ statementSeconds }: Metrics): Promise<StatementCost[]> {
  const { values } = await statementSeconds.get();
  const figure = (name: string, statement: string) =>
    values.find((value) => value.metricName?.endsWith(name) && value.labels.statement === statement)?.value ??
    0;
  const names = [...new Set(values.map((value) => String(value.labels.statement)))];
  return names.map((statement) => ({
    statement,
    count: figure('_count', statement),
    seconds: figure('_sum', statement),
  }));
}
