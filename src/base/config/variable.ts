// What the table of variables says of each.
import type { Schema } from './options.ts';

export const variableGroups = {
  required: 'What must be chosen',
  key: 'How the key is presented',
  service: 'The account and how it is read',
  documents: 'Where vaults and whitelist entries are found',
  schedule: 'When it is read',
  process: 'How it runs',
  http: 'Health, metrics and pages',
  log: 'Logs',
} as const;

export interface Variable<Value = unknown> {
  readonly group: keyof typeof variableGroups;
  /** In Markdown; .env.example shows it as plain text. */
  readonly meaning: string;
  /** What a value looks like, with its unit. */
  readonly form: string;
  readonly schema: Schema<Value>;
  /** The value of a variable that is not set; null where it must be set. */
  readonly fallback: string | null;
  /** The fallback in words, where the text alone would not say it. */
  readonly otherwise?: string;
  /** White space belongs to the value. */
  readonly keepsBlanks?: true;
  /** The value may come from a file: what the variable `<name>_FILE` says of it. */
  readonly file?: string;
  /** What .env.example shows where there is no default. */
  readonly example?: string;
}
