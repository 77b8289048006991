// Tells whether the loops of a process still run, whether their turns succeed or fail.

export interface Heartbeat {
  beat(): void;
  /** True while the last beat is not older than allowed. */
  isAlive(): boolean;
}

/** @param allowedMs the longest time without a beat, in milliseconds */
export function createHeartbeat(allowedMs: number, monotonicMs = () => performance.now()): Heartbeat {
  let lastAt = monotonicMs();
  return {
    beat() {
      lastAt = monotonicMs();
    },
    isAlive: () => monotonicMs() - lastAt <= allowedMs,
  };
}
