// How a command ends: its exit code, and a failure as a message that names the thing and the fix.
import { StopRequested } from '../../base/lifecycle.ts';
import { MirrorError } from '../../domain/errors.ts';

/** A wrong configuration and, for `sync`, a rejected key are told from every other failure. */
export const exitCodes = { ok: 0, failed: 1, configuration: 2, keyRejected: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
/** Takes what the chosen command ends with. */
export type Ending = (command: Promise<ExitCode>) => Promise<void>;

export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof MirrorError && error.code === 'CONFIGURATION'
    ? exitCodes.configuration
    : exitCodes.failed;
}

/** The message for a failure; with a stack only where the failure was not foreseen. */
export function describeFailure(error: unknown): string {
  if (error instanceof MirrorError) {
    if (error.code === 'CONFIGURATION')
      return `Configuration is not usable:\n${error.message.replace(/^/gm, '  ')}`;
    return `${error.message} (${error.code})`;
  }
  if (error instanceof StopRequested) return error.message;
  if (error instanceof Error) return error.stack ?? error.message;
  return String(error);
}
