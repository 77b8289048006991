// The options of the bench of many accounts, from its command line. An unknown word is refused.
import { parseArgs } from 'node:util';
import { tellUsage } from './refuse.ts';

export interface FleetOptions {
  /** Each with a sandbox and a process of `run`. */
  readonly accounts: number;
  /** How many processes start at the same time, at the cold start and at the upgrade. */
  readonly atOnce: number;
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
  --transactions 300  of each account at the beginning
  --minutes 5         how long the processor is watched, quiet and moving
  --seconds 10        how long each load of serve lasts`;

/** @throws RangeError with the usage */
export function parseFleetOptions(args: readonly string[]): FleetOptions {
  const values = parse(args);
  const number = (name: keyof typeof values, most: number, whole: boolean) => {
    const value = Number(values[name]);
    if (value > 0 && value <= most && (!whole || Number.isInteger(value))) return value;
    throw new RangeError(
      `--${name} must be a ${whole ? 'whole ' : ''}number from above 0 to ${most}\n${usage}`,
    );
  };
  return {
    accounts: number('accounts', 500, true),
    atOnce: number('at-once', 500, true),
    transactions: number('transactions', 100_000, true),
    minutes: number('minutes', 600, false),
    seconds: number('seconds', 600, false),
  };
}

function parse(args: readonly string[]) {
  tellUsage(usage);
  try {
    return parseArgs({
      args: [...args],
      options: {
        accounts: { type: 'string', default: '100' },
        'at-once': { type: 'string', default: '10' },
        transactions: { type: 'string', default: '300' },
        minutes: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '10' },
      },
    }).values;
  } catch (error) {
    throw new RangeError(`${error instanceof Error ? error.message : 'bad options'}\n${usage}`);
  }
}
