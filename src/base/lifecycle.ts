// Turns signals of the operating system into an abort. The first signal asks for a graceful stop, the second
// stops at once. It imports nothing, so a program handles signals before it loads anything else.

/** The reason of the abort that `onStopSignals` raises. */
export class StopRequested extends Error {
  override readonly name = 'AbortError';

  constructor(reason: string) {
    super(`stopped: ${reason}`);
  }
}

/**
 * Aborts the controller at the first SIGTERM or SIGINT and calls `atOnce` at the second.
 *
 * @returns a function that removes the handlers
 */
export function onStopSignals(
  controller: AbortController,
  atOnce: (signal: NodeJS.Signals) => void,
): () => void {
  const handler = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) atOnce(signal);
    else controller.abort(new StopRequested(signal));
  };
  const names = ['SIGTERM', 'SIGINT'] as const;
  for (const name of names) process.on(name, handler);
  return () => {
    for (const name of names) process.off(name, handler);
  };
}
