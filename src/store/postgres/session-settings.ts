// The settings that change what a statement means, writes or hides. A role or a database may override any of
// them (ALTER ROLE … SET, ALTER DATABASE … SET), so each transaction sets them, whatever its session.
// docs/access.md lists what is refused instead.

/** Only PostgreSQL's own names: no object created by others can shadow them. */
const ownNamesAlone = 'pg_catalog, pg_temp';

/** PostgreSQL's default. */
export const joinCollapseLimit = '8';

/** Set for the transaction; none of them needs a privilege. */
const fixed = {
  // PostgreSQL refuses what a policy would silently leave out.
  row_security: 'off',
  // Text format of values, written and read.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  bytea_output: 'hex',
  datestyle: 'iso, mdy',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  // Names of types are compared as text.
  quote_all_identifiers: 'off',
  // An index on arrays or words returns every match.
  gin_fuzzy_search_limit: '0',
  // A conflict ends a transaction, not the session.
  exit_on_error: 'off',
  // The genetic planner may find no plan at all; without it, the tables planned together are bounded.
  geqo: 'off',
  join_collapse_limit: joinCollapseLimit,
  from_collapse_limit: '8',
  // Compiling a plan takes longer than running it: no statement reads much at once.
  jit: 'off',
} as const;

/**
 * Settings that only some versions have, or that need a privilege: set only if they differ. Without the
 * privilege the transaction is refused, and the server's message names the setting.
 */
const conditional = {
  // Anything but `origin` switches off the triggers that keep the history.
  session_replication_role: 'origin',
  // From PostgreSQL 17 on.
  restrict_nonsystem_relation_kind: '',
} as const;

export interface SettingsOfTransaction {
  readonly searchPath?: string | undefined;
  readonly lockTimeoutMs: number;
  /** From PostgreSQL 17 on; 0 for no limit. */
  readonly transactionTimeoutMs: number;
}

/** Statements for the start of a transaction; the last one sees a state of the database. */
export function settingsOf(options: SettingsOfTransaction) {
  const { searchPath = ownNamesAlone, lockTimeoutMs, transactionTimeoutMs } = options;
  const whereDifferent = { ...conditional, transaction_timeout: String(Math.round(transactionTimeoutMs)) };
  return {
    fixed: [
      ...Object.entries(fixed).map(([name, value]) => `set local ${name} = '${value}'`),
      `set local search_path = ${searchPath}`,
      `set local lock_timeout = ${Math.round(lockTimeoutMs)}`,
    ],
    whereDifferent: `select ${Object.entries(whereDifferent)
      .map(([name, value]) => setWhereDifferent(name, value))
      .join(', ')}`,
  };
}

/** Skips a setting unknown to this server. */
function setWhereDifferent(name: string, value: string): string {
  return `case when current_setting('${name}', true) <> '${value}' then set_config('${name}', '${value}', true) end`;
}
