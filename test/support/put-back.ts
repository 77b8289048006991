// Lets time pass for a mirror.
import type { TestDatabase } from './database.ts';

/** Everything that was recorded was recorded a day earlier, or as long as `by` says, to the microsecond. */
export async function putBack({ query }: Pick<TestDatabase, 'query'>, by = '24 hours'): Promise<void> {
  const moments = await query<{ relation: string; columns: string[] }>(
    `select format('%I.%I', table_schema, table_name) as relation, array_agg(column_name::text) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('custody', 'sync') and table_type = 'BASE TABLE' and table_name <> 'leases'
       and data_type = 'timestamp with time zone' group by 1`,
  );
  const updates = moments.map(
    ({ relation, columns }) =>
      `update ${relation} set ${columns.map((name) => `${name} = ${name} - interval '${by}'`).join(', ')};`,
  );
  await query(`begin; set local session_replication_role = replica; ${updates.join('\n')} commit`);
}
