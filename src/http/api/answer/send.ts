// Sends an answer: JSON with its weak ETag, or CSV as a stream; compressed where the reader takes it.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip, gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { guardedStream, holdBytes } from '../../request/guarded-stream.ts';
import { compressed, longestStallMs } from './csv-stream.ts';
import { isKnown, takesGzip } from './negotiate.ts';

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

/**
 * @param name of the file that a browser saves
 * @param parts null for HEAD
 */
export function sendCsv(c: Context, name: string, parts: AsyncIterable<string> | null): Response {
  setCommon(c);
  c.header('content-type', 'text/csv; charset=utf-8; header=present');
  c.header('content-disposition', `attachment; filename="${name}.csv"`);
  if (parts === null) return c.body(null);
  const isPacked = takesGzip(c.req.header('accept-encoding'));
  if (isPacked) c.header('content-encoding', 'gzip');
  const source = isPacked ? compressed(parts) : parts;
  return c.body(guardedStream(c, () => source, { stallMs: longestStallMs }));
}

function setCommon(c: Context): void {
  // A reader may keep the answer, and asks before it uses it again.
  c.header('cache-control', 'private, no-cache');
  c.header('vary', 'Accept, Accept-Encoding, Authorization, X-Api-Key');
}

function toBytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer);
}
