// Finds numbers that would keep a row, or others, from ever being sealed: at or below the last sealed one, or
// beyond what the sequence has given out. Each run of sealing checks the last sealed rows too.
import { sql } from 'drizzle-orm';
import { rowOf } from './diagnosis.ts';
import { shownRow } from './keys.ts';
import { fork, type Log, type StoredCheckpoint } from './log.ts';
import { readAdded } from './reading.ts';
import { sealedTables } from './tables.ts';
import { tileWidth } from './tree.ts';

const tilesLookedAt = 40;

/** @throws MirrorError `SEAL-FORK` */
export async function refuseNumbers(log: Log, last?: StoredCheckpoint): Promise<void> {
  const { ask, account } = log;
  const { size, lastChangeId } = last ?? { size: 0, lastChangeId: 0 };
  const first = Math.max(0, Math.floor(size / tileWidth) - tilesLookedAt);
  const from = sql`coalesce((select t.last_change_id from internal.seal_tiles t
    where t.account_id = ${account} and t.level = 0 and t.tile = ${first - 1}), 0)`;
  const each = sealedTables.map(
    ({ name }) => sql`select ${name} as name, h.change_id from ${sql.raw(name)} h
      where h.account_id = ${account} and h.change_id > ${from}`,
  );
  const [row] = await ask<Record<'drawn' | 'sealed' | 'ahead' | 'tied', string | null>>(
    'seal.numbers',
    sql`
      with drawn as materialized (select coalesce(pg_sequence_last_value('custody.change_ids'), 0) as last),
        n as materialized (${sql.join(each, sql` union all `)})
      select max(drawn.last)::text as drawn,
        (select m.change_id::text from n m group by m.change_id having count(*) > 1 order by 1 limit 1) as tied, count(*) filter (where n.change_id <= ${lastChangeId})::text as sealed,
        max(n.name || ' has a row with change_id ' || n.change_id) filter (where n.change_id > drawn.last) as ahead
      from drawn left join n on true`,
  );
  const { drawn, sealed, ahead, tied } = row ?? { drawn: null, sealed: null, ahead: null, tied: null };
  const sequence = `custody.change_ids has given out numbers up to ${drawn}`;
  const expected = size - first * tileWidth;
  if (lastChangeId > Number(drawn))
    throw fork(
      `${sequence}, and ${lastChangeId} is sealed: the sequence was set back, as logical replication and some failovers do. Rows written since have numbers that are sealed already`,
    );
  if (ahead !== null) throw fork(`${sequence}, and ${ahead}: rows before it would never be sealed`);
  if (tied !== null) {
    const rows = await readAdded(log, account, Number(tied) - 1, Number(tied));
    throw fork(
      `${rows.map(rowOf).map(shownRow).join(' and ')} have the same change_id ${tied}: one was added`,
    );
  }
  if (Number(sealed) !== expected)
    throw fork(
      `the last ${expected} rows up to number ${lastChangeId} were sealed, and the tables have ${sealed}: one was added, removed or given another number, or last_change_id of the last checkpoint was changed. verify names it`,
    );
}
