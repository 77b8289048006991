// Structured logs: constant, past-tense messages with fields. Secrets never reach a logger: configuration keeps them in
// `Secret`, whose every rendering is a placeholder, and pino redacts the header names that carry keys besides.
import { type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';

export type Logger = PinoLogger;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFormat = 'json' | 'pretty';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Where lines go; standard error by default, so that a command's own output stays clean. */
  readonly destination?: DestinationStream;
}

/** Only what helps to mend a fault: an error's own enumerable fields may hold a statement's parameters or a request. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return stdSerializers.err(error as Error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}

export function createLogger({ level, format, destination }: LoggerOptions): Logger {
  const sink = destination ?? pino.destination({ dest: 2, sync: true });
  const stream =
    format === 'pretty'
      ? pretty({ destination: sink, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' })
      : sink;
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
    },
    stream,
  );
}
