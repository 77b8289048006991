// Loggers for tests: one that is silent, and one that keeps what it was told.
import { createLogger, type Logger, type LogLevel } from '../../src/base/logger.ts';

export const silentLogger: Logger = createLogger({ level: 'silent', format: 'json' });

export interface CapturingLogger {
  readonly logger: Logger;
  /** Every line, parsed. */
  entries(): Record<string, unknown>[];
  /** The lines as they were written. */
  text(): string;
}

export function capturingLogger(level: LogLevel = 'trace'): CapturingLogger {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return {
    logger: createLogger({ level, format: 'json', destination }),
    entries: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
    text: () => lines.join(''),
  };
}
