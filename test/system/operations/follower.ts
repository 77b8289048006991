// A follower of the feed as docs/client.md shows it, without an end: it knows what the changes that it was
// handed say, and drops what it is told is gone.
import { ApiError, type Change, createClient, type Place } from '../../../packages/client/src/client.ts';
import { onCleanup } from '../../support/cleanup.ts';
import type { TestDatabase } from '../../support/database.ts';

export interface Follower {
  /** By the number of the change. */
  readonly known: ReadonlyMap<number, string>;
  /** From where it goes on. */
  place(): Place;
  /** The places from which it was told to go on. */
  readonly losses: readonly number[];
  /** What it was handed twice. */
  readonly doubled: readonly string[];
  /** From where, and which account, it follows from now on; null for nowhere. */
  lead(to: { readonly baseUrl: string; readonly account: string } | null): void;
}

export function startFollower(): Follower {
  const known = new Map<number, string>();
  const losses: number[] = [];
  const doubled: string[] = [];
  let place: Place = { after: 0 };
  let target: Parameters<Follower['lead']>[0] = null;
  let moved = new AbortController();
  let isDone = false;

  const take = (change: Change) => {
    const said = `${change.kind} ${change.resource_id} ${change.observed_at}`;
    if (known.has(change.change_id)) doubled.push(`${change.change_id} ${said}`);
    known.set(change.change_id, said);
  };
  const follow = async ({ baseUrl, account }: { baseUrl: string; account: string }) => {
    const { signal } = moved;
    const retry = { firstDelayMs: 50, greatestDelayMs: 500 };
    const client = createClient({ baseUrl, account, retry, timeoutMs: 10_000 });
    const feed = client.changes({ ...place, wait: 1, signal });
    try {
      for await (const change of feed) {
        take(change);
        place = feed.position;
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!error.problem?.resume) return;
      place = error.problem.resume;
      losses.push(place.after);
      for (const id of known.keys()) if (id > place.after) known.delete(id);
    }
  };
  const following = (async () => {
    while (!isDone) {
      if (target !== null) await follow(target);
      await new Promise((resume) => setTimeout(resume, 50));
    }
  })();
  onCleanup(async () => {
    isDone = true;
    moved.abort();
    await following;
  });
  return {
    known,
    place: () => place,
    losses,
    doubled,
    lead(to) {
      target = to;
      moved.abort();
      moved = new AbortController();
    },
  };
}

/** What a follower that missed nothing knows of the account. */
export async function changesOf(
  { query }: Pick<TestDatabase, 'query'>,
  account: string,
): Promise<Map<number, string>> {
  const moment = `to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  const rows = await query<{ id: string; said: string }>(
    `select id, kind || ' ' || resource || ' ' || ${moment} as said from (
       select change_id as id, 'transaction_status' as kind, transaction_id as resource, account_id, observed_at as at
         from custody.transaction_status_history
       union all select change_id, 'transaction_revision', transaction_id, account_id, observed_at from custody.transaction_revisions
       union all select change_id, kind, document_id, account_id, observed_at from custody.document_revisions
       union all select change_id, 'balance_snapshot', vault_type, account_id, answered_at from custody.balance_snapshots
     ) as h where account_id = $1 order by id`,
    [account],
  );
  return new Map(rows.map(({ id, said }) => [Number(id), said]));
}
