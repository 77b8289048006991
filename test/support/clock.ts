// The clock and the time zone of a test run, which may be others than the machine's (scripts/test-dates.mjs).
import { clockEnvironment } from '../../packages/demo/src/embedded-postgres/binaries.ts';

/** Variables for a process that gets nothing else of the environment. */
export function clockAndZone(): NodeJS.ProcessEnv {
  const zone = process.env['TZ'];
  return { ...clockEnvironment(), ...(zone ? { TZ: zone } : {}) };
}
