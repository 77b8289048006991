// The cursor of a list: opaque to readers, bound to the list, its filters, its order and the history of the
// account, so that it cannot continue another answer.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Tx } from '../../store/postgres/transaction.ts';
import { readPlace } from '../../store/read-api/changes.ts';
import type { Selection } from '../../store/read-api/list/listing.ts';
import { sharedUpTo } from '../../store/run/histories.ts';
import { badParameter, HistoryChanged } from './problem.ts';

/** The form of the cursor. An older one is refused, and the reader begins again. */
const version = 3;
const form = z.strictObject({
  v: z.literal(version),
  q: z.string(),
  k: z.array(z.string()),
  h: z.string(),
  n: z.int(),
});

/** Where the list goes on, and where the history was. */
export interface Cursor {
  readonly keys: readonly string[];
  readonly history: string;
  readonly last: number;
}

export function writeCursor(list: string, selection: Selection, { keys, history, last }: Cursor): string {
  const cursor = { v: version, q: fingerprint(list, selection), k: keys, h: history, n: last };
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** @throws Problem for text that is no cursor, and for a cursor of another request */
export function readCursor(
  list: string,
  selection: Selection,
  keyCounts: readonly number[],
  text: string,
): Cursor {
  const read = form.safeParse(parse(text));
  if (!read.success || !keyCounts.includes(read.data.k.length))
    throw badParameter('cursor', 'must be the unchanged next_cursor of a response');
  if (read.data.q !== fingerprint(list, selection))
    throw badParameter(
      'cursor',
      'belongs to other filters or another sort: repeat those of the first page, or start without it',
    );
  return { keys: read.data.k, history: read.data.h, last: read.data.n };
}

/** Where there is no history: of a list over accounts. */
export const nowhere = { history: '', last: 0 };

export async function placeOf(tx: Tx, account: string): Promise<Omit<Cursor, 'keys'>> {
  const { names, last } = await readPlace(tx, account);
  return { history: names[0]?.name ?? '', last };
}

/** @throws Problem if rows of the previous pages may be gone */
export async function refuseOtherHistory(tx: Tx, account: string, { history, last }: Cursor): Promise<void> {
  if (history === '') return;
  const { names, isReplica } = await readPlace(tx, account);
  // A replica that lags behind does not know the newest name yet. It shows an older state to any cursor.
  if (isReplica && !names.some(({ name }) => name === history)) return;
  if (last > sharedUpTo([{ name: history, beganAfter: 0 }], names))
    throw new HistoryChanged('the database was restored or lost its last changes since the first page');
}

function parse(text: string): unknown {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

function fingerprint(list: string, { account, at, filters, order }: Selection): string {
  const sorted = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const asked = JSON.stringify([list, account, at, sorted, order]);
  return createHash('sha256').update(asked).digest('base64url').slice(0, 16);
}
