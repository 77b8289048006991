// The entry of a row in the log: which row it is, and the SHA-256 of its content. tlog-tiles allows an entry
// 65,535 bytes, which the content may exceed. docs/sealing-format.md defines both, for third-party programs.
import { type Bytes, sha256, toBuffer, uint, value } from '../base/encoded-values.ts';
import { createContentDigest, parseExactly } from '../custody/decode/exact-json.ts';
import type { SealedTable } from './tables.ts';

const format = value('t', 'custody-mirror row 1');
/**
 * A longer value of a key is replaced by its SHA-256, so that entries stay short whatever the service sends.
 */
const longestKeyBytes = 1_024;

/** What an entry says of its row. */
export interface EntryRead {
  readonly table: string;
  readonly changeId: number;
  /** The values of its primary key; for a long one `sha256:` and the digest. */
  readonly key: readonly string[];
  /** The encoded key: equal for equal keys. */
  readonly keyBytes: Bytes;
}

/** @param key the encoded values of its primary key */
export function entryOf(table: SealedTable, changeId: number, key: readonly Bytes[], content: Bytes): Bytes {
  const short = key.map((encoded) => {
    const body = encoded.slice(5);
    return body.length > longestKeyBytes ? value('b', sha256(body)) : encoded;
  });
  const which = format + value('t', table.name) + value('n', String(changeId)) + value('a', short.join(''));
  return value('a', which + value('b', sha256(content)));
}

/** Of bytes that are no entry, that of no row. */
export function readEntry(entry: Bytes): EntryRead {
  const [list = ''] = readValues(entry);
  const [, table = '', changeId, keyBytes = ''] = readValues(list);
  const key = readValues(keyBytes).map((bytes) => toBuffer(bytes).toString());
  return { table, changeId: Number(changeId), key, keyBytes };
}

export function isSameRow(a: EntryRead, b: EntryRead): boolean {
  return a.table === b.table && a.keyBytes === b.keyBytes;
}

/** Entries as tlog-tiles bundles them: each after its length in two bytes. */
export function bundle(entries: readonly Bytes[]): Bytes {
  return entries.map((entry) => uint(entry.length, 2) + entry).join('');
}

/** Null when the bytes are not a bundle. */
export function unbundle(bytes: Bytes): Bytes[] | null {
  const entries: Bytes[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + 2;
    const end = start + bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1);
    if (!(end <= bytes.length)) return null;
    entries.push(bytes.slice(start, end));
    at = end;
  }
  return entries;
}

/** A letter and a length. */
const headLength = 5;

/** @param source JSON text, as PostgreSQL gives it */
export function encodeJson(source: string): Bytes {
  const body = parseExactly(source);
  const marks = { ...body, mayHoldUnstorable: false };
  return createContentDigest(marks, Number.POSITIVE_INFINITY, true).encode(body.value);
}

/** The bodies of the whole values that stand one after the other; of a digest `sha256:` and its digits. */
export function readValues(bytes: Bytes): Bytes[] {
  return splitValues(bytes).map(({ body }) => body);
}

/** The same with the letters of their types. */
export function splitValues(bytes: Bytes) {
  const values: { readonly type: string; readonly body: Bytes }[] = [];
  for (let at = 0; at + headLength <= bytes.length; ) {
    const body = at + headLength;
    const end = body + toBuffer(bytes.slice(at + 1, body)).readUInt32BE();
    if (end > bytes.length) break;
    const read = bytes.slice(body, end);
    const type = bytes.charAt(at);
    values.push({ type, body: type === 'b' ? `sha256:${toBuffer(read).toString('hex')}` : read });
    at = end;
  }
  return values;
}
