// Structured logs: constant, past-tense messages with fields. Secrets never reach a logger: configuration keeps them in
// `Secret`, whose every rendering is a placeholder.
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
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

/** How far a chain of causes is followed; one that leads back to itself has no end. */
const deepestCause = 5;

/** Only what helps to mend a fault: an error's own enumerable fields may hold a statement's parameters or a request. */
function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const inner = (found: unknown) => serializeError(found, depth + 1);
  const follows = depth < deepestCause;
  // A code tells what happened; where in the program matters for faults of the program alone, which Node.js's own codes are.
  const showsStack = code === undefined || code.startsWith('ERR_');
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(showsStack ? { stack: error.stack } : {}),
    ...(follows && error.cause !== undefined ? { cause: inner(error.cause) } : {}),
    // A refused connection to a name with several addresses says what happened in its parts alone.
    ...(follows && error instanceof AggregateError ? { errors: error.errors.slice(0, 5).map(inner) } : {}),
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
      serializers: { err: (error: unknown) => serializeError(error) },
    },
    stream,
  );
}
