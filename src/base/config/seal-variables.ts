// The variables of the sealed history.
import type { Variable } from './options.ts';
import * as options from './options.ts';

export const sealVariables = {
  SEAL_KEY: {
    group: 'seal',
    meaning:
      'The private key that signs checkpoints of the history, from [`seal init`](commands.md). Without it nothing is sealed.',
    form: 'private key of a signed note',
    schema: options.sealKey,
    fallback: '',
    otherwise: 'no key',
    file: 'Name the file rather than the key.',
  },
  SEAL_CHECKPOINTS_FILE: {
    group: 'seal',
    meaning: 'The file to which each checkpoint is appended. Keep it where the database owner cannot write.',
    form: 'path of a file',
    schema: options.optionalText,
    fallback: '',
    otherwise: 'the log output only',
  },
  SEAL_VERIFIER_KEYS: {
    group: 'seal',
    meaning:
      'Further keys that verify checkpoints, as [`seal init`](commands.md) prints them: those that signed before the key was changed.',
    form: 'verifier keys, separated by blanks',
    schema: options.verifierKeys,
    fallback: '',
    otherwise: 'only the key that signs',
  },
} as const satisfies Readonly<Record<string, Variable>>;
