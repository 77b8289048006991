// Reads the variables of the table through their parsers, and collects every fault, by variable, so that all
// are reported together. A variable ending in _FILE names a file that holds the secret.
import { readFileSync } from 'node:fs';
import { MirrorError } from '../../domain/errors.ts';
import { Secret } from '../secret.ts';
import type { Schema, Variable } from './options.ts';
import {
  type SecretName,
  smallLetterNames,
  type ValueOf,
  type VariableName,
  variables,
} from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  readonly env: Environment;
  readonly isTerminal: boolean;
  readonly readFile?: (path: string) => string;
}

export type VariableReader = ReturnType<typeof createVariableReader>;

/** A shell removes them; Docker's --env-file and Kubernetes values keep them. */
const quoted = 'has quotes around it, which count as part of the value: remove them';

export function createVariableReader({
  env,
  readFile = (path) => readFileSync(path, 'utf8'),
}: ConfigSources) {
  const faults: string[] = [];
  const fault = (name: string, reason: string) => void faults.push(`${name}: ${reason}`);
  // A faulty value never escapes: `finish` throws before the configuration is returned.
  const parsed = <Value>(name: string, schema: Schema<Value>, raw: string): Value => {
    const { error, data } = schema.safeParse(raw);
    if (/^(["']).*\1$/s.test(raw)) fault(name, quoted);
    else for (const { message } of error?.issues ?? []) fault(name, message);
    return data as Value;
  };
  const set = (name: string) => env[name]?.trim() || undefined;
  const given = (name: string) => set(smallLetterNames.get(name) ?? name) ?? set(name);

  /** A required secret: the variable, or the content of the file that `${name}_FILE` names. */
  const secret = (name: SecretName): Secret => {
    const { schema } = variables[name];
    const fileName = given(`${name}_FILE`);
    const direct = given(name);
    if (fileName !== undefined && direct !== undefined)
      fault(name, `set either ${name} or ${name}_FILE, not both`);
    if (fileName === undefined) {
      if (direct === undefined)
        fault(name, `is required (or ${name}_FILE, the path of a file that holds it)`);
      return new Secret(direct === undefined ? '' : (parsed(name, schema, direct) ?? ''));
    }
    try {
      const again = () => readAgain(schema, () => readFile(fileName).trim());
      return new Secret(parsed(`${name}_FILE`, schema, readFile(fileName).trim()) ?? '', again);
    } catch (error) {
      // The value is not repeated: it may be the secret itself.
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault';
      fault(`${name}_FILE`, `the file it names cannot be read (${code})`);
      return new Secret('');
    }
  };

  return {
    fault,
    /** The value of a variable, which is required without a fallback here or in the table. */
    value<Name extends VariableName>(name: Name, fallback?: string): ValueOf<Name> {
      const variable: Variable = variables[name];
      const raw =
        (variable.keepsBlanks ? env[name] : given(name)) ?? fallback ?? variable.fallback ?? undefined;
      if (raw === undefined) fault(name, 'is required');
      // The table gives the parser and the type of its value together.
      return (raw === undefined ? undefined : parsed(name, variable.schema, raw)) as ValueOf<Name>;
    },
    secret,
    /** The same; null where neither is set. */
    optionalSecret(name: SecretName) {
      const isSet = given(name) !== undefined || given(`${name}_FILE`) !== undefined;
      return isSet ? secret(name) : null;
    },
    /** The path in `${name}_FILE`; null where it is not set. */
    fileOf: (name: SecretName) => given(`${name}_FILE`) ?? null,
    /** @throws MirrorError `CONFIGURATION` with every fault */
    finish() {
      if (faults.length === 0) return;
      throw new MirrorError('CONFIGURATION', faults.join('\n'));
    },
  };
}

/** @returns null if the file is missing, is being replaced, or holds no such value */
function readAgain(schema: Schema<unknown>, read: () => string): string | null {
  try {
    const { data } = schema.safeParse(read());
    return typeof data === 'string' ? data : null;
  } catch {
    return null;
  }
}
