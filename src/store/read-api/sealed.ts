// In which checkpoint of the sealed history something is sealed, and what its last verification found.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../postgres/transaction.ts';
import { shownMoment } from '../values/micros.ts';

/**
 * The first checkpoint that seals all rows up to one: a JSON object, its members null while there is none
 * yet; `null` for an account without a log.
 *
 * @param last the number (change_id) of the last of the rows
 */
export async function readSealed(tx: Tx, account: string, last: SQL): Promise<string> {
  const { rows } = await tx.run('read.sealed', (db) =>
    db.execute<{ json: string }>(sql`
      select json_build_object('checkpoint', c.tree_size, 'signed_at', ${shownMoment(sql`c.signed_at`)},
        'verified_at', ${shownMoment(sql`v.verified_at`)}, 'is_altered', v.finding is not null)::text as json
      from (select ${last} as last) as n left join lateral (
        select * from reporting.checkpoints k where k.account_id = ${account} and k.last_change_id >= n.last order by k.last_change_id limit 1
      ) as c on true left join sync.seal_verifications v on v.account_id = ${account}
      where exists (select from reporting.checkpoints k where k.account_id = ${account})`),
  );
  return rows[0]?.json ?? 'null';
}
