// What a role has that fills tables of custody which the mirror never writes: it reads and writes these, and nothing else of the
// mirror. Nothing is written here.
import { sql } from 'drizzle-orm';
import { textArray } from '../postgres/binary-array.ts';
import type { Tx } from '../postgres/database.ts';
import { type Privilege, type Role, readCreates, readExceeds } from './reader-privileges.ts';

/** Tables of custody that people fill. */
export type FilledTable = 'asset_prices' | 'fee_rules';

export interface WriterReport {
  /** What a writer of the tables has and the role has not. */
  readonly lacks: readonly Privilege[];
  /** What the role may do to the mirror beyond reading, besides writing the tables. */
  readonly exceeds: readonly Privilege[];
  readonly creates: readonly Privilege[];
}

const writing: readonly string[] = ['INSERT', 'UPDATE', 'DELETE'];

/** The role is neither a superuser nor an owner: they hold everything. */
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

interface Found extends Privilege, Record<string, unknown> {}
