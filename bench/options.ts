// The options of the bench, from its command line. An unknown word is refused with the usage.
import { numbersOf, parseOptions } from './refuse.ts';

export interface BenchOptions {
  /** Numbers of transactions, measured one after the other. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** CUSTODY_PAGE_SIZE of the mirror. */
  readonly pageSize: number;
  /** CUSTODY_MAX_CONCURRENCY of the mirror. */
  readonly concurrency: number;
  /** CUSTODY_RATE_LIMIT of the mirror. */
  readonly rateLimit: string;
  /** Format of the floor's input. */
  readonly floorFormat: 'binary' | 'text';
  /** Counts the requests of cycles after a sweep, instead of measuring sweeps. */
  readonly economy: boolean;
  /**
   * Gives the mirroring process the memory that Node.js takes for its own in the container: 512 MB, and a
   * small young generation.
   */
  readonly container: boolean;
  /** Also prints the cost of the statements of the sweeps. */
  readonly statements: boolean;
  /** Directory for CPU profiles of the mirroring process; null for none. */
  readonly profile: string | null;
}

const usage = `usage: npm run bench -- [options]
  --sizes 10000,100000   transactions to mirror (1000000 takes minutes and some gigabytes of disk)
  --rounds 5             rounds; each measures the floor and two sweeps
  --page-size 200        records asked for with each request
  --concurrency 4        requests in flight
  --rate-limit auto      auto, off or requests per second
  --floor-format binary  binary or text
  --economy              count the requests of cycles after a sweep instead of measuring sweeps
  --container            with the memory of the container
  --statements           print the cost of the statements of the sweeps
  --profile <directory>  write CPU profiles of the mirroring process there`;

/** @throws RangeError with the usage */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const values = parseOptions(usage, args, {
    sizes: { type: 'string', default: '10000,100000' },
    rounds: { type: 'string', default: '5' },
    'page-size': { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '4' },
    'rate-limit': { type: 'string', default: 'auto' },
    'floor-format': { type: 'string', default: 'binary' },
    economy: { type: 'boolean', default: false },
    container: { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
    profile: { type: 'string' },
  });
  const whole = numbersOf(usage);
  const format = values['floor-format'];
  if (format !== 'binary' && format !== 'text')
    throw new RangeError(`--floor-format must be binary or text\n${usage}`);
  return {
    sizes: values.sizes.split(',').map((size) => whole('sizes', size)),
    rounds: whole('rounds', values.rounds),
    pageSize: whole('page-size', values['page-size']),
    concurrency: whole('concurrency', values.concurrency),
    rateLimit: values['rate-limit'],
    floorFormat: format,
    economy: values.economy,
    container: values.container,
    statements: values.statements,
    profile: values.profile ?? null,
  };
}
