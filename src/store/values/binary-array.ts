// Arrays as parameters in PostgreSQL's binary format, which needs neither quoting here nor parsing there. For
// pages of records this halves the cost that a write has beyond COPY.
import { type SQL, sql } from 'drizzle-orm';
import type { Micros } from './micros.ts';

type Element = 'text' | 'jsonb' | 'timestamptz' | 'integer';

/** The identifiers of PostgreSQL's built-in types, which never change. */
const typeIds: Readonly<Record<Element, number>> = {
  text: 25,
  jsonb: 3802,
  timestamptz: 1184,
  integer: 23,
};
const headerBytes = 20;
/** 2000-01-01T00:00:00Z, from which PostgreSQL counts. */
const postgresEpoch: Micros = 946_684_800_000_000;
/** First byte of jsonb in binary form; the text follows. */
const jsonbVersion = 1;

/** Up to this length a loop over the characters is faster than a call of the runtime's encoder. */
const shortText = 24;

/** A parameter of type `text[]` or `jsonb[]`. */
export function textArray(values: readonly (string | null)[], type: 'text' | 'jsonb' = 'text'): SQL {
  const prefix = type === 'jsonb' ? 1 : 0;
  let size = headerBytes;
  for (let i = 0; i < values.length; i += 1) size += 4 + prefix + mostBytes(values[i] ?? '');
  const buffer = startArray(type, values.length, size);
  let at = headerBytes;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? null;
    if (value === null) {
      at = buffer.writeInt32BE(-1, at);
      continue;
    }
    if (prefix === 1) buffer[at + 4] = jsonbVersion;
    const end = writeText(buffer, value, at + 4 + prefix);
    buffer.writeInt32BE(end - at - 4, at);
    at = end;
  }
  return parameter(buffer.subarray(0, at), type);
}

function mostBytes(text: string): number {
  // A UTF-16 unit takes three bytes at most. For long texts the exact count saves memory.
  return text.length > shortText ? Buffer.byteLength(text) : 3 * text.length;
}

/** @returns where the text ends */
function writeText(buffer: Buffer, text: string, start: number): number {
  if (text.length <= shortText) {
    let at = start;
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return start + buffer.write(text, start);
      buffer[at] = unit;
      at += 1;
    }
    return at;
  }
  return start + buffer.write(text, start);
}

/** A parameter of type `timestamptz[]`. */
export function momentArray(values: readonly (Micros | null)[]): SQL {
  return fixedArray(values, 'timestamptz', 8, (buffer, value, at) =>
    buffer.writeBigInt64BE(BigInt(value - postgresEpoch), at),
  );
}

/** A parameter of type `integer[]`. */
export function integerArray(values: readonly (number | null)[]): SQL {
  return fixedArray(values, 'integer', 4, (buffer, value, at) => buffer.writeInt32BE(value, at));
}

function fixedArray(
  values: readonly (number | null)[],
  type: Element,
  width: number,
  write: (buffer: Buffer, value: number, at: number) => number,
): SQL {
  const present = values.reduce<number>((count, value) => count + (value === null ? 0 : 1), 0);
  const buffer = startArray(type, values.length, headerBytes + 4 * values.length + width * present);
  let at = headerBytes;
  for (const value of values) {
    at = buffer.writeInt32BE(value === null ? -1 : width, at);
    if (value !== null) at = write(buffer, value, at);
  }
  return parameter(buffer, type);
}

function startArray(type: Element, length: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  let at = buffer.writeInt32BE(1, 0); // dimensions
  at = buffer.writeInt32BE(1, at); // may hold nulls
  at = buffer.writeInt32BE(typeIds[type], at);
  at = buffer.writeInt32BE(length, at);
  buffer.writeInt32BE(1, at); // lower bound
  return buffer;
}

function parameter(buffer: Buffer, type: Element): SQL {
  return sql`${sql.param(buffer)}::${sql.raw(type)}[]`;
}
