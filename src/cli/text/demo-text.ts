// What the demo prints: what is running, how to look at it, and how far it is.
import { resources } from '../../domain/jobs.ts';
import type { JobOutcome } from '../../sync/run/run-job.ts';

export interface DemoAddresses {
  readonly databaseUrl: string;
  readonly serviceUrl: string;
  readonly apiKey: string;
  readonly pageUrl: string;
}

export function demoIntroduction({ databaseUrl, serviceUrl, apiKey, pageUrl }: DemoAddresses): string {
  return `
custody-mirror is running, with everything it needs:

  status page       ${pageUrl}
  PostgreSQL        psql '${databaseUrl}'
                    (no psql? Any SQL client takes the address in quotes; or:
                    docker run --rm -it --network host postgres psql '…')
  custody service   ${serviceUrl}
                    (a sandbox; curl -H 'x-api-key: ${apiKey}'
                    ${serviceUrl}/balances)

Three queries worth trying:

  -- where the money is
  select asset_id, network_id, total_balance, available_balance
    from custody.balances
   where vault_type = 'all' and valid_to is null order by asset_id;

  -- which transactions are not settled, and since when
  select transaction_id, asset_id, amount, status, status_changed_at
    from custody.transactions
   where status in ('pending', 'processing', 'confirming')
   order by status_changed_at;

  -- how transactions moved, the newest change first
  select observed_at, transaction_id, from_status, to_status
    from custody.transaction_status_history
   where from_status is not null order by observed_at desc limit 20;

Stop it with Ctrl-C.

`;
}

/** One line on what was mirrored so far. */
export function demoSummary(
  totals: ReadonlyMap<string, JobOutcome>,
  elapsedSeconds: number,
  transactionsInService: number,
): string {
  const transactions = totals.get('transactions');
  const balances = totals.get('balances');
  const parts = [
    `${Math.round(elapsedSeconds)} s`,
    transactions === undefined
      ? 'transactions: first sweep under way'
      : `transactions: ${transactions.inserted} mirrored of ${transactionsInService}, ${transactions.changed} changes seen`,
    ...(balances === undefined
      ? []
      : [`balances: ${balances.records} read (all, cold and warm), ${balances.changed} changes`]),
    ...resources.flatMap((job) => {
      if (job === 'transactions' || job === 'balances') return [];
      const outcome = totals.get(job);
      return outcome === undefined ? [] : [`${job}: ${outcome.records}`];
    }),
    ...[...totals.values()].flatMap((outcome) =>
      outcome.status === 'failed' ? [`${outcome.job} failed: ${outcome.errorCode}`] : [],
    ),
  ];
  return parts.join(' · ');
}
