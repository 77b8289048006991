// Reads variables one by one through their parsers, and collects the faults by variable, so that all are reported together.
// A variable that ends in _FILE names a file that holds the secret.
import { readFileSync } from 'node:fs';
import { MirrorError } from '../domain/errors.ts';
import type * as options from './config-options.ts';
import { Secret } from './secret.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  readonly env: Environment;
  readonly isTerminal: boolean;
  readonly readFile?: (path: string) => string;
}

export interface Reader {
  /** A trimmed variable through its parser; without a default it is required. */
  option<Value>(name: string, parse: options.Parse<Value>, fallback?: string): Value;
  optional(name: string): string | null;
  /** Like `option`, but white space belongs to the value and empty is allowed. */
  untrimmed(name: string, parse: options.Parse<string>): string;
  /** A required variable, or the content of the file that `${name}_FILE` names. */
  secret(name: string, parse: options.Parse<string>): string;
  /** The same, null where neither is set. */
  optionalSecret(name: string, parse: options.Parse<string>): Secret | null;
  fault(name: string, reason: string): void;
  finish(): void;
}

export function createReader({
  env,
  readFile = (path) => readFileSync(path, 'utf8'),
}: ConfigSources): Reader {
  const faults: string[] = [];
  const fault = (name: string, reason: string) => void faults.push(`${name}: ${reason}`);
  // A faulty value never gets out: `finish` throws before the configuration is returned.
  const parsed = <Value>(name: string, parse: options.Parse<Value>, raw: string): Value => {
    const result = parse(raw);
    if ('fault' in result) fault(name, result.fault);
    return 'fault' in result ? (undefined as unknown as Value) : result.value;
  };
  const given = (name: string) => env[name]?.trim() || undefined;

  const readSecret = (name: string, parse: options.Parse<string>): string => {
    const fileName = given(`${name}_FILE`);
    const direct = given(name);
    if (fileName !== undefined && direct !== undefined)
      fault(name, `set either ${name} or ${name}_FILE, not both`);
    if (fileName === undefined) {
      if (direct === undefined)
        fault(name, `is required (or ${name}_FILE, the path of a file that holds it)`);
      return direct === undefined ? '' : parsed(name, parse, direct);
    }
    try {
      return parsed(`${name}_FILE`, parse, readFile(fileName).trim());
    } catch (error) {
      // The value is not repeated: somebody may have put the secret itself there.
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault';
      fault(`${name}_FILE`, `the file it names cannot be read (${code})`);
      return '';
    }
  };

  return {
    fault,
    option(name, parse, fallback) {
      const raw = given(name) ?? fallback;
      if (raw === undefined) fault(name, 'is required');
      return parsed(name, raw === undefined ? () => ({ value: undefined as never }) : parse, raw ?? '');
    },
    optional: (name) => given(name) ?? null,
    untrimmed: (name, parse) => parsed(name, parse, env[name] ?? ''),
    secret: readSecret,
    optionalSecret(name, parse) {
      const isSet = given(name) !== undefined || given(`${name}_FILE`) !== undefined;
      return isSet ? new Secret(readSecret(name, parse)) : null;
    },
    finish() {
      if (faults.length === 0) return;
      throw new MirrorError('CONFIGURATION', faults.join('\n'));
    },
  };
}
