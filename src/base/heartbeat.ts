// Tells whether the loops of a process still turn, whatever came of their turns.

export interface Heartbeat {
  beat(): void;
  /** Whether the last beat is no longer ago than allowed. */
  isAlive(): boolean;
}

/** @param allowedMs how long a process that works may go without a beat */
export function createHeartbeat(allowedMs: number, monotonicMs = () => performance.now()): Heartbeat {
  let lastAt = monotonicMs();
  return {
    beat() {
      lastAt = monotonicMs();
    },
    isAlive: () => monotonicMs() - lastAt <= allowedMs,
  };
}
