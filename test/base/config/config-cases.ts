import { type Config, parseConfig } from '../../../src/base/config/config.ts';
import type { Environment } from '../../../src/base/config/reader.ts';
import { MirrorError } from '../../../src/domain/errors.ts';

export const key = 'k3y-of-the-viewer';

export const databaseUrl = 'postgres://mirror:pa55word@db.example:5432/custody?sslmode=verify-full';

export const required = {
  DATABASE_URL: databaseUrl,
  CUSTODY_BASE_URL: 'https://custody.example/api/',
  CUSTODY_API_KEY: key,
};

export const parse = (env: Environment, isTerminal = false): Config => parseConfig({ env, isTerminal });

/** The faults of a configuration, by variable. */
export function faultsOf(work: () => unknown): Record<string, string> {
  try {
    work();
  } catch (error) {
    if (!(error instanceof MirrorError) || error.code !== 'CONFIGURATION') throw error;
    return Object.fromEntries(
      error.message
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
  }
  return {};
}
