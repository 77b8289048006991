// The options of the bench of the reports, from its command line. An unknown word is refused with the usage.
import { numbersOf, parseOptions } from './refuse.ts';
import type { ReportingSize } from './reporting-size.ts';

export interface ReportingBenchOptions {
  readonly size: ReportingSize;
  /** How often each query runs. */
  readonly rounds: number;
  /** Only views whose name contains this text; null for all. */
  readonly view: string | null;
  /** Also prints the plan of each query. */
  readonly plans: boolean;
}

const usage = `usage: npm run bench:reporting -- [options]
  --transactions 1000000    with three rows of status history each
  --days 1095               how long the mirror has run
  --snapshot-minutes 5      from one snapshot of the balances to the next
  --assets 300              a tenth of them changes each day
  --whitelist-entries 400   half of them existed from the beginning
  --rounds 5                how often each query runs
  --view balances           only views whose name contains this text
  --plans                   print the plan of each query`;

/** @throws RangeError with the usage */
export function parseReportingOptions(args: readonly string[]): ReportingBenchOptions {
  const values = parseOptions(usage, args, {
    transactions: { type: 'string', default: '1000000' },
    days: { type: 'string', default: '1095' },
    'snapshot-minutes': { type: 'string', default: '5' },
    assets: { type: 'string', default: '300' },
    'whitelist-entries': { type: 'string', default: '400' },
    rounds: { type: 'string', default: '5' },
    view: { type: 'string' },
    plans: { type: 'boolean', default: false },
  });
  const whole = numbersOf(usage);
  return {
    size: {
      transactions: whole('transactions', values.transactions),
      days: whole('days', values.days),
      snapshotMinutes: whole('snapshot-minutes', values['snapshot-minutes']),
      assets: whole('assets', values.assets),
      whitelistEntries: whole('whitelist-entries', values['whitelist-entries']),
    },
    rounds: whole('rounds', values.rounds),
    view: values.view ?? null,
    plans: values.plans,
  };
}
