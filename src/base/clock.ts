// The clock of an account: the times that rows carry. Each holder of the account's lease continues it, so it
// never goes back, whatever the clocks of machines do. The order of observations rests on that alone; how
// far it agrees with the database's clock decides only how well the rows are dated.
import type { Instant } from '../domain/instant.ts';

export interface Clock {
  /** The account's present time. Negative infinity until the clock follows somebody. */
  now(): Instant;
  /**
   * Continues from the account's last time, and goes with the database's clock from here on: jumps to it when
   * that is ahead, and waits for it at half the pace when it is behind, so that times stay different and in
   * order.
   */
  follow(accountTime: Instant, databaseTime: Instant): void;
}

/** A clock over the process's monotonic timer. `start`: its first time, for one that follows nobody. */
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
