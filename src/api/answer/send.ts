// Sends an answer: JSON with its weak ETag, CSV as a stream, both compressed where the reader takes it; or a
// spreadsheet file.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip, gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { guardedStream, holdBytes } from '../../http/request/guarded-stream.ts';
import { compressed, ending, longestStallMs } from './csv-stream.ts';
import { isKnown, takesGzip, xlsx } from './negotiate.ts';

/** Below this a body gains nothing. */
const leastCompressed = 1024;
/** Below this the way to another thread and back costs more than the compression. */
const leastElsewhere = 64 * 1024;
const compressElsewhere = promisify(gzip);
const fast = { level: constants.Z_BEST_SPEED };

export async function sendBody(
  c: Context,
  body: string,
  contentType = 'application/json',
): Promise<Response> {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  setCommon(c);
  c.header('etag', etag);
  if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304);
  c.header('content-type', contentType);
  holdBytes(c, body.length);
  if (body.length < leastCompressed || !takesGzip(c.req.header('accept-encoding'))) return c.body(body);
  c.header('content-encoding', 'gzip');
  const isShort = body.length < leastElsewhere;
  return c.body(toBytes(isShort ? gzipSync(body, fast) : await compressElsewhere(body, fast)));
}

export interface CsvFile {
  /** Without its ending; a browser saves it so. */
  readonly name: string;
  /** Whether it begins with a byte order mark. */
  readonly isMarked: boolean;
}

/** @param parts null for HEAD */
export function sendCsv(
  c: Context,
  { name, isMarked }: CsvFile,
  parts: AsyncIterable<string> | null,
): Response {
  setCommon(c);
  c.header('content-type', 'text/csv; charset=utf-8; header=present');
  c.header('content-disposition', `attachment; filename="${name}.csv"`);
  if (parts === null) return c.body(null);
  const isPacked = takesGzip(c.req.header('accept-encoding'));
  if (isPacked) c.header('content-encoding', 'gzip');
  const marked = isMarked ? behind('\uFEFF', parts) : parts;
  const source = isPacked ? compressed(marked) : marked;
  return c.body(guardedStream(c, () => source, { stallMs: longestStallMs }));
}

/**
 * @param file null for HEAD
 * @param onTaken called when the reader has taken all of it
 */
export function sendXlsx(
  c: Context,
  name: string,
  file: Uint8Array<ArrayBuffer> | null,
  onTaken: () => void,
): Response {
  setCommon(c);
  c.header('content-type', xlsx);
  c.header('content-disposition', `attachment; filename="${name}.xlsx"`);
  if (file === null) return c.body(null);
  holdBytes(c, file.byteLength);
  c.header('content-length', String(file.byteLength));
  return c.body(guardedStream(c, () => ending(piecesOf(file), onTaken)));
}

/** Small enough to notice a reader that stops reading. */
const pieceBytes = 64 * 1024;

async function* piecesOf(file: Uint8Array<ArrayBuffer>): AsyncIterable<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < file.byteLength; from += pieceBytes) yield file.subarray(from, from + pieceBytes);
}

async function* behind(first: string, parts: AsyncIterable<string>): AsyncIterable<string> {
  yield first;
  yield* parts;
}

function setCommon(c: Context): void {
  // It shows holdings: no browser or proxy may keep it. The tag is for programs that keep what they read.
  c.header('cache-control', 'no-store');
  c.header('vary', 'Accept, Accept-Encoding, Authorization, X-Api-Key');
}

function toBytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer);
}
