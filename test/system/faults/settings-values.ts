// Other valid values of every setting that a role or a database may have.
import { withClient } from '../../support/server.ts';

interface SettingRow {
  readonly name: string;
  readonly vartype: 'bool' | 'enum' | 'integer' | 'real' | 'string';
  readonly setting: string;
  readonly enumvals: string[] | null;
  readonly min_val: string | null;
  readonly max_val: string | null;
}

/** Texts that mean something to the setting. */
const texts: Readonly<Record<string, readonly string[]>> = {
  DateStyle: ['SQL, DMY', 'German', 'Postgres, YMD'],
  TimeZone: ['Asia/Kathmandu', 'America/St_Johns'],
  application_name: ['x'],
  client_encoding: ['LATIN1', 'SQL_ASCII'],
  default_tablespace: ['pg_default'],
  default_text_search_config: ['pg_catalog.simple'],
  lc_messages: ['C'],
  lc_monetary: ['C'],
  lc_numeric: ['C'],
  lc_time: ['C'],
  search_path: ['', 'public', '"$user"', 'custody, sync, reporting'],
  session_replication_role: ['replica', 'local'],
  temp_tablespaces: ['pg_default'],
  timezone_abbreviations: ['Australia', 'India'],
  restrict_nonsystem_relation_kind: ['view', 'foreign-table'],
};

/** Values that are refused, with what the refusal says. */
export const refused: readonly (readonly [string, string, RegExp])[] = [
  ['session_replication_role', 'replica', /set parameter "session_replication_role".*ALTER ROLE … RESET/],
  ['session_replication_role', 'local', /set parameter "session_replication_role".*ALTER ROLE … RESET/],
  ['default_transaction_read_only', 'on', /read-only/],
];

export async function valuesOf(adminUrl: string): Promise<readonly (readonly [string, string])[]> {
  return await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<SettingRow>(`
      select name, vartype, setting, enumvals, min_val, max_val from pg_catalog.pg_settings
      where context in ('user', 'superuser', 'backend', 'superuser-backend') order by name`);
    return rows
      .flatMap((row) => others(row).map((value) => [row.name, value] as const))
      .filter(([name, value]) => !refused.some(([of, to]) => of === name && to === value));
  });
}

function others({
  name,
  vartype,
  setting,
  enumvals,
  min_val: least,
  max_val: most,
}: SettingRow): readonly string[] {
  if (vartype === 'bool') return [setting === 'on' ? 'off' : 'on'];
  if (/^(log_|client_min|trace_)/.test(name)) return [];
  if (vartype === 'enum') return (enumvals ?? []).filter((value) => value !== setting).slice(0, 3);
  if (vartype === 'string') return texts[name] ?? [];
  return [...new Set([least, most])].filter((value): value is string => value !== null && value !== setting);
}
