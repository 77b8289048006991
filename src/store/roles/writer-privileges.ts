// Reads what a role may do that fills the tables of custody which the mirror never writes: it should read and
// write these tables, and no others of the mirror.
import { sql } from 'drizzle-orm';
import type { Tx } from '../postgres/transaction.ts';
import { textArray } from '../values/binary-array.ts';
import { type Found, type Privilege, type Role, readCreates, readExceeds } from './reader-privileges.ts';

/** Tables of custody that people fill. */
export type FilledTable = 'asset_prices' | 'fee_rules';

export interface WriterReport {
  /** What a writer of the tables needs and the role lacks. */
  readonly lacks: readonly Privilege[];
  /** What the role may do to the mirror besides reading, and writing the tables. */
  readonly exceeds: readonly Privilege[];
  readonly creates: readonly Privilege[];
}

const writing: readonly string[] = ['INSERT', 'UPDATE', 'DELETE'];

/** Not for superusers and owners: they hold everything. */
export async function readWriter(tx: Tx, role: Role, tables: readonly FilledTable[]): Promise<WriterReport> {
  const writer = sql`${role.oid}::oid`;
  const names = tables.map((table) => `custody.${table}`);
  const lacks = await tx.run('writer.lacks', (db) =>
    db.execute<Found>(sql`
      select 'CONNECT' as privilege, format('database %I', current_database()) as "on", null::text as through
      where not has_database_privilege(${writer}, current_database(), 'connect')
      union all
      select 'USAGE', 'schema custody', null where not has_schema_privilege(${writer}, 'custody', 'usage')
      union all
      select p.privilege, t.name, null
      from unnest(${textArray(names)}) as t (name), unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as p (privilege)
      where not has_table_privilege(${writer}, t.name, p.privilege)`),
  );
  const exceeds = await readExceeds(tx, role);
  return {
    lacks: lacks.rows,
    exceeds: exceeds.filter(({ on, privilege }) => !names.includes(on) || !writing.includes(privilege)),
    creates: await readCreates(tx, role),
  };
}
