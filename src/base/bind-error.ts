// Turns a failure to listen on an address into an error that names the setting to change.
import { errorCode, MirrorError } from '../domain/errors.ts';

export interface WantedAddress {
  readonly host: string;
  readonly port: number;
  /** What sets host and port, such as HTTP_HOST and HTTP_PORT, or --host and --port. */
  readonly setBy: { readonly host: string; readonly port: string };
}

const portTaken = 'EADDRINUSE';

export function isPortTaken(error: unknown): boolean {
  return errorCode(error) === portTaken;
}

export function explainBindError(error: unknown, { host, port, setBy }: WantedAddress): MirrorError {
  const code = errorCode(error);
  const explanations: Readonly<Record<string, string>> = {
    [portTaken]: `${setBy.port}: port ${port} of ${host} is in use by another program; stop it, or set ${setBy.port} to a free port (0 takes any)`,
    EACCES: `${setBy.port}: port ${port} needs privileges that this user lacks; set ${setBy.port} to one above 1023`,
    EADDRNOTAVAIL: `${setBy.host}: ${host} is not an address of this machine; set ${setBy.host} to one that is, such as 127.0.0.1 or 0.0.0.0`,
    ENOTFOUND: `${setBy.host}: ${host} is an unknown host; set ${setBy.host} to an address of this machine, such as 127.0.0.1 or 0.0.0.0`,
  };
  const message =
    explanations[code] ??
    `${setBy.host}, ${setBy.port}: ${host} port ${port} cannot be opened (${code}); set another address or port`;
  return new MirrorError('CONFIGURATION', message, { cause: error });
}

/** The cause of a port-taken error that does not come from the operating system. */
export function portTakenCause(): Error {
  return Object.assign(new Error('the port is taken'), { code: portTaken });
}

/** Whether the address may be free, or known to this machine, a moment later. */
export function isBindPassing(error: MirrorError): boolean {
  return [portTaken, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(errorCode(error.cause));
}

/** Whether the port is taken or not allowed: another one may work. */
export function isPortRefused(error: unknown): boolean {
  return error instanceof MirrorError && [portTaken, 'EACCES'].includes(errorCode(error.cause));
}
