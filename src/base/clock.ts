// The clock of an account: the times that rows carry. Each holder of the account's lease continues it, so it
// never goes back, whatever machine clocks do. The order of observations depends on this clock alone.
// Agreement with the database's clock only affects how accurately rows are dated.
import type { Instant } from '../domain/instant.ts';

export interface Clock {
  /** The account's current time. Negative infinity until the clock follows a lease. */
  now(): Instant;
  /**
   * Continues from the account's last time and then follows the database's clock: jumps forward to it, or
   * runs at half speed until it catches up, so that times stay distinct and in order.
   */
  follow(accountTime: Instant, databaseTime: Instant): void;
}

/** A clock over the process's monotonic timer. `start`: its first time, for a clock that follows no lease. */
export function createClock(
  monotonicMs: () => number = () => performance.now(),
  start: Instant = Number.NEGATIVE_INFINITY,
): Clock {
  let [followedAt, account, database] = [monotonicMs(), start, start];
  const now = () => {
    const passed = monotonicMs() - followedAt;
    return Math.max(account + passed / 2, database + passed);
  };
  return {
    now,
    follow(accountTime, databaseTime) {
      [followedAt, account, database] = [monotonicMs(), Math.max(now(), accountTime), databaseTime];
    },
  };
}
