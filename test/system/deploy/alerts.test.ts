// The alert rules against the program: every metric and label they ask for exists, every value is one it
// takes, and each is by account. test/system/clients/alerting.test.ts has promtool evaluate them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createMetrics } from '../../../src/base/metrics.ts';
import { stuckAfterHours } from '../../../src/domain/transaction.ts';
import { observeStatus } from '../../../src/server/metrics-source.ts';
import { healthCodes } from '../../../src/store/job-queries/status.ts';
import { startServer } from '../../support/running-server.ts';
import { problem, statusReport } from '../../support/status-report.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const rule = z.strictObject({
  alert: z.string().regex(/^CustodyMirror[A-Z][A-Za-z]+$/),
  expr: z.string(),
  for: z
    .string()
    .regex(/^\d+[smhd]$/)
    .optional(),
  keep_firing_for: z
    .string()
    .regex(/^\d+m$/)
    .optional(),
  labels: z.strictObject({
    severity: z.enum(['critical', 'warning', 'info']),
    about: z.literal('account').optional(),
  }),
  annotations: z.strictObject({
    summary: z.string().min(10),
    description: z.string().min(40),
    runbook: z.literal('docs/operations.md#alerts-about-an-account').optional(),
  }),
});
const rulesOf = (name: string) =>
  z
    .strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule) })) })
    .parse(parse(read(`deploy/prometheus/${name}.rules.yaml`)))
    .groups.flatMap((group) => group.rules);
const business = rulesOf('custody-mirror-business');
const rules = [...rulesOf('custody-mirror'), ...business];

/** The labels of every metric, by its name: `run` gives each the account. */
async function knownMetrics(): Promise<Map<string, readonly string[]>> {
  const known = new Map<string, readonly string[]>();
  for (const metric of createMetrics(true).registry.getMetricsAsArray()) {
    const { name, labelNames } = metric as unknown as { name: string; labelNames?: readonly string[] };
    known.set(name, [...(labelNames ?? []), 'account']);
  }
  return known;
}

/** The name of the metric that a selector chooses series of. */
const metricOf = (selector: string) => selector.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, '');

/** The values that labels of a closed set may have, as the source names them. */
const values: Readonly<Record<string, RegExp>> = {
  mirror_job: /^(transactions|reconcile|balances|vaults|whitelist|maintenance)$/,
  status: /^(succeeded|failed|abandoned)$/,
  code: new RegExp(`^(${healthCodes.join('|')})$`),
  subject: /^(account|transactions|reconcile|balances|vaults|whitelist|maintenance)$/,
  transaction_type: /^(deposit|withdraw|rebalance|stake|unstake|claim|change pool|other)$/,
  outcome: /^(ok|empty|transient|rate-limited|key-rejected|permanent|aborted)$/,
};

test('an alert on a figure outlasts a failed reading, until another says that nothing is known', () => {
  const silent = business.find(({ alert }) => alert === 'CustodyMirrorNothingMirrored');
  const [, seconds] = /> (\d+) unless /.exec(silent?.expr ?? '') ?? [];
  const knownAfter = Number(seconds) / 60 + Number.parseInt(silent?.for ?? '', 10);
  for (const { alert, keep_firing_for = '0m' } of business.filter((each) => each !== silent))
    expect(Number.parseInt(keep_firing_for, 10), alert).toBeGreaterThan(knownAfter);
});

test.each(rules.map((each) => [each.alert, each.expr] as const))(
  '%s asks for metrics that exist',
  async (_, expr) => {
    const known = await knownMetrics();
    const selectors = [...expr.matchAll(/custody_mirror_\w+(?:\{([^}]*)\})?/g)];
    expect(selectors.length).toBeGreaterThan(0);
    for (const [text, matchers = ''] of selectors) {
      const name = metricOf(text);
      expect([...known.keys()], text).toContain(name);
      const named = [...matchers.matchAll(/(\w+)\s*(=~?|!=|!~)\s*"([^"]*)"/g)];
      for (const [, label = '', , value = ''] of named.filter(([, label]) => label !== 'le')) {
        expect(known.get(name), `${name}{${label}}`).toContain(label);
        for (const one of value.split('|')) if (values[label]) expect(one).toMatch(values[label]);
      }
    }
    for (const [, labels = ''] of expr.matchAll(/by \(([^)]*)\)/g))
      for (const label of labels.split(/, */).filter((each) => each !== 'instance'))
        expect(
          selectors.some(([text]) => known.get(metricOf(text))?.includes(label)),
          label,
        ).toBe(true);
    expect(expr.split('(').length).toBe(expr.split(')').length);
  },
);

test.each(rules.map((each) => [each.alert, each.annotations] as const))(
  '%s uses labels its result has',
  (name, texts) => {
    const found = rules.find(({ alert }) => alert === name);
    const kept = /by \(([^)]*)\)/.exec(found?.expr ?? '')?.[1]?.split(/, */) ?? [];
    for (const [, label] of `${texts.summary} ${texts.description}`.matchAll(/\$labels\.(\w+)/g))
      expect(kept).toContain(label);
  },
);

test('a standby scraped alone reports the writer as the writer would: both read it from the database', async () => {
  const noWriter = rules.find(({ alert }) => alert === 'CustodyMirrorNoWriter');
  expect(noWriter?.expr).not.toContain('lease_held');
  const metrics = createMetrics();
  observeStatus(metrics, statusReport({ problems: [problem({ code: 'stopped', subject: 'account' })] }));
  expect(await metrics.registry.metrics()).toMatch(/health_problem\{code="stopped",[^}]*\} 1/);
});

test('a status that nobody reads any more is an alert, and so is one that was never read', async () => {
  const old = rules.find(({ alert }) => alert === 'CustodyMirrorStatusOld');
  expect(old?.expr).toContain('absent(');
  // 0 before the first reading: older than any bound.
  const { get } = await startServer({ readStatus: () => Promise.reject(new Error('never read')) });
  expect(await (await get('/metrics')).text()).toContain(
    'custody_mirror_status_read_timestamp_seconds{account="acme"} 0',
  );
});

test('whatever makes the mirror unhealthy has an alert', () => {
  for (const code of healthCodes.filter((each) => each !== 'anomaly' && each !== 'key-refused')) {
    const told = rules.some(({ expr }) =>
      [...expr.matchAll(/code=~?"([^"]*)"/g)].some(([, codes = '']) => codes.split('|').includes(code)),
    );
    const byMetric: Partial<Record<string, string>> = {
      quarantine: 'custody_mirror_quarantine_open_records',
      'too-many-missing': 'kind="too-many-missing"',
    };
    expect(told || rules.some(({ expr }) => expr.includes(byMetric[code] ?? 'nothing')), code).toBe(true);
  }
});

test('every rule is by account and names it, or is by process', () => {
  for (const { alert, expr, annotations } of rules) {
    const groupings = [...expr.matchAll(/\b(?:min|max|sum) (?:by \(([^)]*)\))?/g)];
    expect(groupings.length, alert).toBeGreaterThan(0);
    // A replica is behind for all accounts at once.
    const by = alert === 'CustodyMirrorReplicaBehind' ? 'instance' : 'account';
    for (const [, labels = ''] of groupings) expect(labels.split(', '), alert).toContain(by);
    expect(annotations.summary, alert).toContain(`$labels.${by}`);
  }
});

test('each rule about what an account does has its line in the runbook, and the bounds of the pages', () => {
  const section = read('docs/operations.md')
    .split(/^## /m)
    .find((part) => part.startsWith('Alerts about an account\n'));
  const rows = [...(section ?? '').matchAll(/^\| `(\w+)` \|([^|]+)\|([^|]+)\|([^|]+)\|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(business.map(({ alert }) => alert));
  for (const { alert, labels, annotations, expr } of business) {
    expect([alert, labels.about, annotations.runbook]).toEqual([alert, 'account', expect.any(String)]);
    if (expr.includes('open_since')) expect(expr).toContain(`> ${stuckAfterHours * 3600}`);
  }
  expect(rules.filter(({ labels }) => labels.about === 'account')).toEqual(business);
});

test('promtool is asked about every rule: when it fires, and for which account', () => {
  const cases = ['custody-mirror', 'custody-mirror-business'].map((name) =>
    read(`deploy/prometheus/tests/${name}.yaml`),
  );
  const asked = [...cases.join('').matchAll(/alertname="(\w+)", alertstate="firing"/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(asked)].toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});
