// The budget of one record. A record beyond it goes to quarantine with its beginning, length and digest.
import { createHash } from 'node:crypto';
import type { UndecodableItem } from '../../domain/page.ts';
import { rawText } from './content.ts';
import { endOfString } from './exact-json.ts';

export interface RecordBudget {
  /** The longest text of a record, in bytes. */
  readonly bytes: number;
  /** The most members and elements of a record, at any depth. */
  readonly members: number;
  /** The deepest nesting of a record. */
  readonly depth: number;
}

/** The most records that one answer may hold: those of the greatest page. */
export const mostRecords = 100_000;
const shownCharacters = 1_000;
const [quote, comma, openArray, openObject] = [0x22, 0x2c, 0x5b, 0x7b];

/** The most members of an answer: it is parsed at once, and 16 MiB of empty objects would take 360 MiB. */
export function mostMembers({ members }: RecordBudget): number {
  return Math.max(1_000_000, members);
}

/** @returns null when the record with this text is within the budget */
export function oversized(raw: string, budget: RecordBudget): UndecodableItem | null {
  const bytes = Buffer.byteLength(raw);
  if (bytes <= budget.bytes && !hasMoreMembers(raw, budget.members)) return null;
  const beginning = raw.slice(0, shownCharacters);
  const sha256 = createHash('sha256').update(raw).digest('hex');
  const reason =
    bytes > budget.bytes
      ? `the record is longer than ${budget.bytes} bytes (CUSTODY_RECORD_BYTES)`
      : `the record has more than ${budget.members} members (CUSTODY_RECORD_MEMBERS)`;
  // The same for the same record in the next answer.
  const key = createHash('sha256')
    .update(beginning.replace(/"timestamp"\s*:\s*"[^"]*"/g, ''))
    .digest('base64url');
  const marks = { mark: null, mayHoldUnstorable: true };
  return { kind: 'undecodable', key, hash: key, reason, raw: rawText({ beginning, bytes, sha256 }, marks) };
}

/** Whether a JSON text has more members and elements, at any depth. */
export function hasMoreMembers(text: string, most: number): boolean {
  // A member takes two characters at least.
  if (text.length <= 2 * most) return false;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === comma || code === openArray || code === openObject) members += 1;
  }
  return members > most;
}
