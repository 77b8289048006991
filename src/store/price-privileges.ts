// What a role that keeps the prices has: it reads and writes custody.asset_prices, and nothing else of the mirror. Nothing is
// written here.
import { sql } from 'drizzle-orm';
import type { Tx } from './database.ts';
import { type Privilege, type Role, readCreates, readExceeds } from './reader-privileges.ts';

export interface PriceWriterReport {
  /** What a keeper of prices has and the role has not. */
  readonly lacks: readonly Privilege[];
  /** What the role may do to the mirror beyond reading, besides writing prices. */
  readonly exceeds: readonly Privilege[];
  readonly creates: readonly Privilege[];
}

const prices = 'custody.asset_prices';
const writing: readonly string[] = ['INSERT', 'UPDATE', 'DELETE'];

/** The role is neither a superuser nor an owner: they hold everything. */
export async function readPriceWriter(tx: Tx, role: Role): Promise<PriceWriterReport> {
  const writer = sql`${role.oid}::oid`;
  const lacks = await tx.run('prices.lacks', (db) =>
    db.execute<Found>(sql`
      select 'CONNECT' as privilege, format('database %I', current_database()) as "on", null::text as through
      where not has_database_privilege(${writer}, current_database(), 'connect')
      union all
      select 'USAGE', 'schema custody', null where not has_schema_privilege(${writer}, 'custody', 'usage')
      union all
      select p.privilege, ${prices}, null from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as p (privilege)
      where not has_table_privilege(${writer}, ${prices}, p.privilege)`),
  );
  const exceeds = await readExceeds(tx, role);
  return {
    lacks: lacks.rows,
    exceeds: exceeds.filter(({ on, privilege }) => on !== prices || !writing.includes(privilege)),
    creates: await readCreates(tx, role),
  };
}

interface Found extends Privilege, Record<string, unknown> {}
