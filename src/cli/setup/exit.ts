// How a command ends: its exit code, and a failure as a message that names the thing and the fix.
import { StopRequested } from '../../base/lifecycle.ts';
import { MirrorError } from '../../domain/errors.ts';

/** A rejected key has its own code for `sync`, and for `verify` that it could not verify. */
export const exitCodes = { ok: 0, failed: 1, configuration: 2, keyRejected: 3, unverified: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof MirrorError && error.code === 'CONFIGURATION'
    ? exitCodes.configuration
    : exitCodes.failed;
}

/** The message for a failure, with a stack only if the failure was unexpected. */
export function describeFailure(error: unknown): string {
  if (error instanceof MirrorError) {
    if (error.code === 'CONFIGURATION')
      return `Invalid configuration:\n${error.message.replace(/^/gm, '  ')}`;
    return `${error.message} (${error.code})`;
  }
  if (error instanceof StopRequested) return error.message;
  if (error instanceof Error) return error.stack ?? error.message;
  return String(error);
}
