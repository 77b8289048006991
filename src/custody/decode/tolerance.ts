// The deviations from the documented interface that the client accepts. The set is closed, so that it can
// label a metric.
import type { Metrics } from '../../base/metrics.ts';
import type { EndpointName } from '../../domain/endpoint.ts';

const deviations = [
  // Envelopes
  'invalid-utf8',
  'content-type-missing',
  'list-bare',
  'list-single',
  'list-empty',
  'list-renamed',
  'record-bare',
  // Fields of any record
  'amount-empty',
  'amount-form',
  'amount-number',
  'id-alias',
  'id-composed',
  'id-from-content',
  'text-boolean',
  'text-number',
  'text-structured',
  'text-unstorable',
  'timestamp-unreadable',
  'timestamp-without-offset',
  // Transactions
  'changepool',
  'destination-unreadable',
  'source-unreadable',
  'stakepool',
  'transaction-flat',
  'transaction-missing',
  'vault-id-alias',
  // Balances
  'balances-array',
  'balances-flat',
  'balances-missing',
] as const;
export type Deviation = (typeof deviations)[number];

export interface Tolerance {
  tolerate(deviation: Deviation): void;
  /** Adds the counts to the metric; called once for each page. */
  flush(): void;
}

export function createTolerance(endpoint: EndpointName, metrics: Metrics): Tolerance {
  const counts = new Map<Deviation, number>();
  return {
    tolerate(deviation) {
      counts.set(deviation, (counts.get(deviation) ?? 0) + 1);
    },
    flush() {
      for (const [deviation, count] of counts) metrics.tolerated.inc({ endpoint, deviation }, count);
      counts.clear();
    },
  };
}
