// The options of a bench: reads them, refuses unknown ones and prints help.
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Ends the process with its usage. */
export function refuse(usage: string): never {
  tellUsage(`usage: npm run ${usage}`);
  console.error(`usage: npm run ${usage}`);
  process.exit(2);
}

/** Ends the process where `--help` asks for the usage. */
export function tellUsage(usage: string): void {
  if (!process.argv.includes('--help')) return;
  console.log(usage);
  process.exit(0);
}

/** @throws RangeError with the usage */
export function parseOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  args: readonly string[],
  options: Options,
) {
  tellUsage(usage);
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new RangeError(`${error instanceof Error ? error.message : 'bad options'}\n${usage}`);
  }
}

/** Reads numbers above 0. @returns a function that throws RangeError with the usage */
export function numbersOf(usage: string) {
  return (name: string, text: string, { most = 999_999_999, isWhole = true } = {}): number => {
    const value = Number(text);
    if (value > 0 && value <= most && (!isWhole || Number.isInteger(value))) return value;
    const kind = isWhole ? 'whole number' : 'number';
    throw new RangeError(`--${name} must be a ${kind} above 0, and ${most} at the most\n${usage}`);
  };
}

/** Runs the bench with the arguments of the process, which ends with 2 where they are wrong. */
export async function runBench(bench: (args: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await bench(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof RangeError ? error.message : error);
    process.exitCode = error instanceof RangeError ? 2 : 1;
  }
}
