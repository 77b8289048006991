// Ends an answer that is under way from our side, so that no client takes it for a whole one.
import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { AccessEnv, CutReason } from './environment.ts';

/** Undefined where a route is asked without a connection, as in a test. */
export function outgoingOf(c: Context): ServerResponse | undefined {
  return (c.env as Partial<AccessEnv['Bindings']> | undefined)?.outgoing;
}

/**
 * Counts and logs it, where the server has said how (observe.ts), and resets the connection: HTTP/1.0 takes a
 * plain end for a whole answer.
 */
export function abortResponse(c: Context, reason: CutReason, cause?: unknown): void {
  const tell = c.get('onCut') as AccessEnv['Variables']['onCut'] | undefined;
  tell?.(reason, cause);
  outgoingOf(c)?.socket?.resetAndDestroy();
}
