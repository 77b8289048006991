// The options of the bench of many accounts, from its command line. An unknown word is refused.
import { numbersOf, parseOptions } from './refuse.ts';

export interface FleetOptions {
  /** Each with a sandbox and a process of `run`. */
  readonly accounts: number;
  /** How many processes start at the same time, at the cold start and at the upgrade. */
  readonly atOnce: number;
  /** What the server allows. */
  readonly connections: number;
  /** What each account holds at the beginning. */
  readonly transactions: number;
  /** How long the quiet and the moving accounts are watched. */
  readonly minutes: number;
  /** How long each load of `serve` lasts. */
  readonly seconds: number;
}

const usage = `usage: npm run bench:fleet -- [options]
  --accounts 100      one process of run each
  --at-once 10        how many of them start at the same time
  --connections N     what the server allows; without it, enough for all
  --transactions 300  of each account at the beginning
  --minutes 5         how long the processor is watched, quiet and moving
  --seconds 10        how long each load of serve lasts`;

/** @throws RangeError with the usage */
export function parseFleetOptions(args: readonly string[]): FleetOptions {
  const values = parseOptions(usage, args, {
    accounts: { type: 'string', default: '100' },
    'at-once': { type: 'string', default: '10' },
    connections: { type: 'string' },
    transactions: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
  });
  const number = numbersOf(usage);
  const accounts = number('accounts', values.accounts, { most: 500 });
  return {
    accounts,
    connections: number('connections', values.connections ?? String(50 + 6 * accounts), { most: 10_000 }),
    atOnce: number('at-once', values['at-once'], { most: 500 }),
    transactions: number('transactions', values.transactions, { most: 100_000 }),
    minutes: number('minutes', values.minutes, { most: 600, isWhole: false }),
    seconds: number('seconds', values.seconds, { most: 600, isWhole: false }),
  };
}
