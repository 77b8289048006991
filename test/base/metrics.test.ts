import { expect, test } from 'vitest';
import { createMetrics } from '../../src/base/metrics.ts';

test('every metric is named by convention, has help, and is in one registry', async () => {
  const metrics = createMetrics();
  metrics.requests.inc({ endpoint: 'transactions', outcome: 'ok' });
  const described = await metrics.registry.getMetricsAsJSON();
  for (const { name, help, type } of described) {
    expect(name).toMatch(/^custody_mirror_[a-z_]+$/);
    expect(help).not.toBe('');
    expect(name.endsWith('_total')).toBe(String(type) === 'counter');
  }
  expect(await metrics.registry.metrics()).toContain(
    'custody_mirror_requests_total{endpoint="transactions",outcome="ok"} 1',
  );
});
