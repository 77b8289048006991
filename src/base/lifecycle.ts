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
 * Every signal that would end the process at once, except fault signals, SIGPROF (the profiler of Node.js),
 * SIGXCPU (sent each second once the processor time is used up) and real-time signals, which Node.js cannot
 * hear. A terminal, a service manager and a container (SIGPWR) ask for a stop; the others ask for nothing,
 * and SIGUSR1 would open the debugger of Node.js.
 */
export const signalsHeard = {
  stop: ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGPWR'],
  ignore: ['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGIO', 'SIGSTKFLT'],
} as const;
const ignore = () => undefined;

/**
 * Aborts the controller at the first signal that asks for a stop, and calls `atOnce` at the second.
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
  for (const name of signalsHeard.ignore)
    if (!process.listeners(name).includes(ignore)) process.on(name, ignore);
  for (const name of signalsHeard.stop) process.on(name, handler);
  return () => {
    for (const name of signalsHeard.stop) process.off(name, handler);
  };
}

/**
 * Closes the debugger that SIGUSR1 opens before `onStopSignals` is called: through it anyone on this machine
 * could read the keys. A debugger that was asked for stays open.
 *
 * @param options of Node.js in the environment
 */
export function closeDebugger(options = ''): void {
  const { close, url } = process.getBuiltinModule('node:inspector');
  const given = [...process.execArgv, options].join(' ');
  if (url() !== undefined && !/(^|\s)--inspect(-brk|-wait)?(=|\s|$)/.test(given)) close();
}
