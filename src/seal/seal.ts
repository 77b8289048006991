// Seals rows added to the history: under the account's fence and in parts, each with its tiles and a signed
// checkpoint in one transaction. Invariant: a tree is signed only if it continues the last one that was.
import { sql } from 'drizzle-orm';
import type { Logger } from '../base/logger.ts';
import { stallLimitMs, unlessStalled } from '../base/waiting.ts';
import { MirrorError } from '../domain/errors.ts';
import { type Database, guardDatabase } from '../store/postgres/database.ts';
import { type FencedTx, type Lease, withFence } from '../store/run/leases.ts';
import { recordingSealStop, removeLog } from '../store/run/verifications.ts';
import { refuseDistrusted } from '../store/schema/plain-tables.ts';
import { appendMissing, unsigned } from './checkpoints-file.ts';
import {
  appendLeaves,
  damaged,
  fork,
  isEnd,
  type Log,
  openLog,
  readCheckpoints,
  readTree,
  type StoredCheckpoint,
  writeCheckpoint,
} from './log.ts';
import { isSignedBy, type Signer, type Verifier } from './note.ts';
import { type Reads, readAdded } from './reading.ts';
import { lastNumber, readEntry, shownRow } from './rows.ts';
import { readingState, sealedTables, tablesRead } from './tables.ts';
import { tileWidth } from './tree.ts';

export interface Sealing {
  readonly signer: Signer;
  /** Earlier keys of the log: sealing continues what they signed. */
  readonly earlier?: readonly Verifier[];
  /** Where checkpoints are appended; null for the log output alone. */
  readonly checkpointsFile: string | null;
}

export interface SealOptions extends Sealing {
  readonly database: Database;
  readonly lease: Lease;
  readonly logger: Logger;
  /** Ends the work between two parts. */
  readonly signal: AbortSignal;
  /** Awaited after each part: how many rows were sealed so far, and how long the part took. */
  readonly afterPart?: (sealed: number, ms: number) => unknown;
  /** About the most rows sealed in one transaction: few enough that other writers wait only a moment. */
  readonly atOnce?: number;
  /** How long it may make no progress, in milliseconds, its pauses included. */
  readonly stalledAfterMs?: number;
  /** How long the file of checkpoints may take, in milliseconds. Default two minutes. */
  readonly fileWithinMs?: number;
}

const rowsAtOnce = 4_096;
const longestEntry = 65_535;
const fileLimitMs = 120_000;

/** @throws MirrorError `SEAL-REFUSED` if the tables are not what they should be */
export async function refuseBent(database: Database): Promise<void> {
  await database.transact('seal.trustworthy', (tx) => refuseDistrusted(tx, tablesRead), readingState);
}

/** Statements in transactions of their own. */
export function askOne(database: Database): Reads {
  const settings = { readOnly: true };
  return {
    ask: (label, ...asked) => database.transact(label, (tx) => tx.ask(label, ...asked), settings),
    copy: (label, ...copied) => database.transact(label, (tx) => tx.copy(label, ...copied), settings),
  };
}

/**
 * Seals every row that is not sealed yet.
 *
 * @returns how many there were
 * @throws MirrorError `SEAL-FORK` when the log does not continue what was signed; `SEAL-REFUSED` when the key
 * belongs to another log or the file of checkpoints cannot be used; `JOB-STALLED`; those of the fence
 */
export async function sealHistory(options: SealOptions): Promise<number> {
  const { signal, stalledAfterMs = stallLimitMs() } = options;
  let steps = 0;
  const limits = { name: 'sealing', limitMs: stalledAfterMs, progress: () => steps };
  return await unlessStalled(limits, signal, async (either, abandoned) => {
    const database = guardDatabase(options.database, abandoned, () => {
      steps += 1;
    });
    const work = () => sealAll({ ...options, database, signal: either });
    return await recordingSealStop(database, options.lease, work);
  });
}

async function sealAll(options: SealOptions): Promise<number> {
  const { database, lease, signer, earlier = [], checkpointsFile, logger, signal } = options;
  const { atOnce = rowsAtOnce, fileWithinMs = fileLimitMs } = options;
  const { account } = lease;
  const log = openLog(askOne(database), account);
  const verifiers = [signer, ...earlier];
  await refuseBent(database);
  await lastOf(log, signer);
  const append = async () =>
    checkpointsFile === null ? null : await appendMissing(checkpointsFile, log, verifiers, fileWithinMs);
  let filed = await append();
  const isVouched = (note: string | null) =>
    (note === null || isSignedBy(verifiers, note)) && (checkpointsFile === null || note === filed);
  for (let sealed = 0; ; ) {
    signal.throwIfAborted();
    const last = await lastOf(log, signer);
    if (sealed === 0) await refuseNumbers(log, last);
    if ((await endOfPart(log, last?.lastChangeId ?? 0, 1)) === null) return sealed;
    const began = performance.now();
    const part = await withFence(database, lease, 'seal', (tx) => sealPart(tx, signer, isVouched, atOnce));
    filed = await append();
    sealed += part.count;
    logger.info({ account, rows: part.count, sealed: part.size, checkpoint: part.note }, 'history sealed');
    await options.afterPart?.(sealed, performance.now() - began);
  }
}

/**
 * Ends the log of the account, and begins another with its first rows, in one transaction: from then on a
 * process with the old key is refused. The file of checkpoints is there already.
 *
 * @param keep keeps the old log, once no reason is known why another one would be refused
 * @returns whether the other one has begun; it needs a row
 * @throws MirrorError as `sealHistory`; then the old log is still there
 */
export async function restartLog(
  { database, lease }: Pick<SealOptions, 'database' | 'lease'>,
  next: Sealing,
  keep: () => Promise<void>,
): Promise<boolean> {
  const log = () => openLog(askOne(database), lease.account);
  await refuseBent(database);
  await refuseNumbers(log());
  await keep();
  const part = await withFence(database, lease, 'seal.restart', async (tx) => {
    removeLog(tx);
    return await sealPart(tx, next.signer, (note) => note === null, rowsAtOnce);
  });
  if (next.checkpointsFile !== null)
    await appendMissing(next.checkpointsFile, log(), [next.signer], fileLimitMs);
  return part.count > 0;
}

/** The last checkpoint, of the log of this key. */
async function lastOf(log: Log, signer: Signer): Promise<StoredCheckpoint | undefined> {
  const [last] = await readCheckpoints(log, 'last');
  if (last?.note === '') throw unsigned(last.size);
  if (last !== undefined && last.origin !== signer.name)
    throw new MirrorError(
      'SEAL-REFUSED',
      `SEAL_KEY_FILE: the key is named ${signer.name}, and the log of this account ${last.origin}; use a key of that name`,
    );
  return last;
}

/** @param isVouched whether the note may be the last one; null for an empty log */
async function sealPart(
  tx: FencedTx,
  signer: Signer,
  isVouched: (note: string | null) => boolean,
  atOnce: number,
) {
  const { account } = tx.lease;
  const log = openLog(tx, account);
  const last = await lastOf(log, signer);
  const size = last?.size ?? 0;
  const sealed = await readTree(log, size);
  if (last !== undefined && sealed.tree.root() !== last.root) throw damaged(last);
  if (last !== undefined && !(await isEnd(log, last)))
    throw fork(
      `last_change_id of the checkpoint of ${size} rows in sync.seal_checkpoints, or the entry of its last row in internal.seal_tiles, was changed`,
    );
  if (!isVouched(last?.note ?? null)) throw unsigned(size);
  const after = last?.lastChangeId ?? 0;
  const leaves = await readAdded(tx, account, after, (await endOfPart(log, after, atOnce)) ?? after);
  const end = leaves.at(-1);
  // The rows that were there a moment ago have been sealed by another process since.
  if (end === undefined) return { count: 0, size, note: last?.note ?? '' };
  // The service's identifiers are far shorter than an entry may be (tlog-tiles).
  const long = leaves.find(({ entry }) => entry.length > longestEntry);
  if (long !== undefined)
    throw fork(`the row with change_id ${long.changeId} has too long a key: it was added`);
  appendLeaves(tx, size, sealed, leaves);
  const grown = { size: sealed.tree.size(), root: sealed.tree.root() };
  const note = signer.sign(grown);
  writeCheckpoint(tx, grown.size, note, end.changeId);
  return { count: leaves.length, size: grown.size, note };
}

/** A part ends before the row that would exceed this weight, so that no other writer waits for long. */
const weightOfPart = 2_000_000;

/**
 * The number of the last row of a part: about so many after a number, fewer if they are large, and all with
 * the last number; null where there is none.
 */
async function endOfPart({ ask, account }: Log, after: number, atOnce: number): Promise<number | null> {
  const count = sql.raw(String(atOnce));
  const tables = sealedTables.map(
    ({ name, weight }) => sql`(select change_id as number, (${sql.raw(weight)})::float8 as weight
      from ${sql.raw(name)} where account_id = ${account}
        and change_id > ${sql.raw(String(after))} and change_id <= ${sql.raw(String(lastNumber))} order by 1 limit ${count})`,
  );
  const [row] = await ask<{ last: string | null }>(
    'seal.part',
    sql`
      select max(number)::text as last from (
        select number, rank() over upto as nth, sum(weight) over upto as weight
        from (select * from (${sql.join(tables, sql` union all `)}) as a order by number limit ${count}) as n
        window upto as (order by number)
      ) as p where nth = 1 or weight <= ${sql.raw(String(weightOfPart))}`,
  );
  return row?.last == null ? null : Number(row.last);
}

// Finds numbers that would keep a row, or others, from ever being sealed: at or below the last sealed one, or
// beyond what the sequence has given out. Each run of sealing checks the last sealed rows too.

const tilesLookedAt = 40;

/** @throws MirrorError `SEAL-FORK` */
async function refuseNumbers(log: Log, last?: StoredCheckpoint): Promise<void> {
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
      `${rows.map(({ entry }) => shownRow(readEntry(entry))).join(' and ')} have the same change_id ${tied}: one was added`,
    );
  }
  if (Number(sealed) !== expected)
    throw fork(
      `the last ${expected} rows up to number ${lastChangeId} were sealed, and the tables have ${sealed}: one was added, removed or given another number, or last_change_id of the last checkpoint was changed. verify names it`,
    );
}
