// Structured logs: constant messages in the past tense, with fields. Secrets never reach a log, because
// configuration keeps them in `Secret`.
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';

export type Logger = PinoLogger;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFormat = 'json' | 'pretty';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Where lines go. Standard error by default, because standard output is for the output of a command. */
  readonly destination?: DestinationStream;
}

/** The longest chain of causes that is followed; a chain can be circular. */
const deepestCause = 5;

/** Fields that help to fix a fault. Other fields may hold a request, or the parameters of a statement. */
function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const inner = (found: unknown) => serializeError(found, depth + 1);
  const follows = depth < deepestCause;
  // Only bugs get a stack: errors without a code, and errors of Node.js itself.
  const showsStack = code === undefined || code.startsWith('ERR_');
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(showsStack ? { stack: error.stack } : {}),
    ...(follows && error.cause !== undefined ? { cause: inner(error.cause) } : {}),
    // A refused connection to a name with several addresses has its reason in the inner errors only.
    ...(follows && error instanceof AggregateError ? { errors: error.errors.slice(0, 5).map(inner) } : {}),
  };
}

export function createLogger({ level, format, destination }: LoggerOptions): Logger {
  const sink = destination ?? pino.destination({ dest: 2, sync: true });
  // One line at a time: pino-pretty would buffer without bound lines that its destination does not take.
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' });
  const write = (line: string) => void sink.write(format === 'pretty' ? pretty(line) : line);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => serializeError(error) },
    },
    // Without `flushSync`, with which pino would wait for a full disk after a fatal line.
    { write },
  );
}
