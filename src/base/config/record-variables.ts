// The variables of the budget of a record.
import type { Variable } from './options.ts';
import * as options from './options.ts';

export const recordVariables = {
  CUSTODY_RECORD_BYTES: {
    group: 'service',
    meaning:
      'The longest record that is mirrored. A longer one goes to quarantine with its beginning, length and digest.',
    form: 'bytes',
    schema: options.integer(10_000, 67_108_864),
    fallback: '1048576',
  },
  CUSTODY_RECORD_MEMBERS: {
    group: 'service',
    meaning: 'The most members and elements, at any depth, of a record that is mirrored.',
    form: 'members',
    schema: options.integer(1_000, 10_000_000),
    fallback: '10000',
  },
  CUSTODY_RECORD_DEPTH: {
    group: 'service',
    meaning: 'The deepest nesting of a record that is mirrored.',
    form: 'levels',
    schema: options.integer(10, 200),
    fallback: '100',
  },
} as const satisfies Readonly<Record<string, Variable>>;
