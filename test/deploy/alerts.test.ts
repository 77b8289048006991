// The alert rules against the program: every metric and label they ask for exists, and every value is one it takes.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createMetrics } from '../../src/base/metrics.ts';

const file = readFileSync(
  new URL('../../deploy/prometheus/custody-mirror.rules.yaml', import.meta.url),
  'utf8',
);
const rule = z.strictObject({
  alert: z.string().regex(/^CustodyMirror[A-Z][A-Za-z]+$/),
  expr: z.string(),
  for: z
    .string()
    .regex(/^\d+[smhd]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
  annotations: z.strictObject({ summary: z.string().min(10), description: z.string().min(40) }),
});
const { groups } = z
  .strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule) })) })
  .parse(parse(file));
const rules = groups.flatMap((group) => group.rules);

/** The labels of every metric, by its name. */
async function knownMetrics(): Promise<Map<string, readonly string[]>> {
  const known = new Map<string, readonly string[]>();
  for (const metric of createMetrics(true).registry.getMetricsAsArray()) {
    const { name, labelNames } = metric as unknown as { name: string; labelNames?: readonly string[] };
    known.set(name, labelNames ?? []);
  }
  return known;
}

/** The values that labels of a closed set may have, as the source names them. */
const values: Readonly<Record<string, RegExp>> = {
  mirror_job: /^(transactions|reconcile|balances|vaults|whitelist|maintenance)$/,
  status: /^(succeeded|failed|abandoned)$/,
  outcome: /^(ok|empty|transient|rate-limited|key-rejected|permanent|aborted)$/,
};

test('there is one rule of each name', () => {
  expect(rules.length).toBeGreaterThan(8);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

test.each(rules.map((each) => [each.alert, each.expr] as const))(
  '%s asks for metrics that exist',
  async (_, expr) => {
    const known = await knownMetrics();
    const selectors = [...expr.matchAll(/custody_mirror_\w+(?:\{([^}]*)\})?/g)];
    expect(selectors.length).toBeGreaterThan(0);
    for (const [text, matchers = ''] of selectors) {
      const name = text.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, '');
      expect([...known.keys()], text).toContain(name);
      const named = [...matchers.matchAll(/(\w+)\s*(=~?|!=|!~)\s*"([^"]*)"/g)];
      for (const [, label = '', , value = ''] of named) {
        expect(known.get(name), `${name}{${label}}`).toContain(label);
        for (const one of value.split('|')) if (values[label]) expect(one).toMatch(values[label]);
      }
    }
    for (const [, labels = ''] of expr.matchAll(/by \(([^)]*)\)/g))
      for (const label of labels.split(/, */).filter((each) => each !== 'instance'))
        expect(
          selectors.some(([text]) => known.get(text.replace(/\{.*/, ''))?.includes(label)),
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

test('a rule on when something last happened also tells of what never did, and computes no age of it', () => {
  const byTime = rules.filter(({ expr }) => /_timestamp_seconds/.test(expr));
  expect(byTime.length).toBeGreaterThan(2);
  for (const { alert, expr } of byTime) {
    const [metric] = /custody_mirror_\w+_timestamp_seconds\{[^}]*\}/.exec(expr) ?? [''];
    expect(expr, alert).toContain(`time() - max(${metric} > 0)`);
    expect(expr, alert).toContain(`or max(${metric}) == 0`);
  }
});
