// A test that can go on for long has two forms: a sample of it in `npm test`, all of it in `npm run
// test:long`.
import { test } from 'vitest';

/** Set by `npm run test:long`, and in CI. */
const isLong = process.env['TEST_FORM'] === 'long';

/** Why a test of the long form alone is skipped here; null in that form. */
export const whyShort = isLong ? null : 'npm run test:long runs it';

/**
 * A test that is whole or nothing; the name of it says why it is skipped. @param missing what it cannot do
 * without, where that is not there
 */
export function longTest(
  name: string,
  work: () => Promise<void>,
  timeoutMs?: number,
  missing: string | null = null,
): void {
  const reason = missing ?? whyShort;
  test.skipIf(reason !== null)(`${name}${reason === null ? '' : ` (skipped: ${reason})`}`, work, timeoutMs);
}

/** A size of the test: the number in the variable where it is set, else that of the form. */
export function sized(sizes: { readonly short: number; readonly long: number }, variable?: string): number {
  const given = variable === undefined ? '' : process.env[variable];
  if (given) return Number(given);
  return isLong ? sizes.long : sizes.short;
}

/** All of the list in the long form; else each so-manieth, beginning at `from`. */
export function sampled<Value>(
  values: readonly Value[],
  { every, from = 0 }: { readonly every: number; readonly from?: number },
): readonly Value[] {
  return isLong ? values : values.filter((_, index) => (index + from) % every === 0);
}
