// One signal out of two, which lets go of both when it is no longer needed: signals that live as long as the process
// gather no listeners.
import { setMaxListeners } from 'node:events';

export interface LinkedSignal {
  readonly signal: AbortSignal;
  unlink(): void;
}

/** A signal that is aborted, with the same reason, as soon as one of the given is. */
export function linkSignals(...sources: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const removals = sources.map((source) => {
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    // Many calls at a time may share a signal; each takes its listener away again.
    setMaxListeners(0, source);
    source.addEventListener('abort', abort, { once: true });
    return () => source.removeEventListener('abort', abort);
  });
  return {
    signal: controller.signal,
    unlink: () => {
      for (const remove of removals) remove();
    },
  };
}
