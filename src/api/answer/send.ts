// Sends an answer: JSON with its weak ETag, CSV as a stream, both compressed where the reader takes it; or a
// spreadsheet file.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip, gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { within } from '../../base/waiting.ts';
import { guardedStream, holdBytes } from '../../http/request/guarded-stream.ts';
import { BrokenStream } from '../../store/read-api/list/stream-csv.ts';

// Parts of an answer that are made as the reader takes them: their producer waits for the reader.

/**
 * A reader that takes nothing for this long is cut: its transaction stands idle meanwhile, which the database
 * ends after 10 seconds.
 */
const longestStallMs = 9_000;

/**
 * Runs the work, which gives its parts to `write`, and resolves with them once the first one is there. The
 * work ends when the parts are returned, or when nobody takes the next one.
 *
 * @throws what the work throws before its first part; later failures are thrown by the parts
 */
export async function partsOf(
  work: (write: (part: string) => Promise<void>) => Promise<void>,
): Promise<AsyncIterable<string>> {
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  return await new Promise((resolve, reject) => {
    const write = (part: string) => {
      resolve(readable);
      return within(longestStallMs, writer.write(part));
    };
    work(write)
      .then(() => writer.close())
      .catch((error: unknown) => {
        const reason = error instanceof BrokenStream ? error.reason : error;
        // Without effect once the first part is there.
        reject(reason);
        return writer.abort(reason);
      })
      // A reader that left does not learn how it ended.
      .catch(() => undefined);
  });
}

/** The same parts, as long as `confirm` does not throw; it is called every five seconds. */
export async function* confirmed(
  parts: AsyncIterable<string>,
  confirm: () => Promise<unknown>,
): AsyncIterable<string> {
  let askedAt = performance.now();
  for await (const part of parts) {
    if (performance.now() - askedAt > confirmEveryMs) {
      await confirm();
      askedAt = performance.now();
    }
    yield part;
  }
}

const confirmEveryMs = 5_000;

/** Compresses the parts as they are taken: no more of them is read than fits into small buffers. */
async function* compressed(parts: AsyncIterable<string>): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const source = Readable.from(parts, { highWaterMark: 1 });
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  source.on('error', (error) => gzip.destroy(error));
  source.pipe(gzip);
  try {
    for await (const packed of gzip) yield new Uint8Array(packed as Buffer);
  } finally {
    gzip.destroy();
    source.destroy();
  }
}

// What the headers of a request ask for: the form of the answer, its compression, and whether it is known
// already.

/** The weights in a header such as Accept, by the weighted item in lower case. */
function weights(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='));
      const value = weight === undefined ? 1 : Number(weight.slice(2));
      return [name, Number.isFinite(value) ? value : 0];
    }),
  );
}

/** A spreadsheet file. */
export const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export type Form = 'application/json' | 'text/csv' | typeof xlsx;

/** The preferred form, or the first of several equally preferred; null when none is acceptable. */
export function wantedForm(accept: string | undefined, forms: readonly Form[]): Form | null {
  if (accept === undefined || accept.trim() === '') return forms[0] ?? null;
  const given = weights(accept);
  const weightOf = (form: Form) =>
    given.get(form) ?? given.get(`${form.slice(0, form.indexOf('/'))}/*`) ?? given.get('*/*') ?? 0;
  const [best] = forms.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) > 0 ? best : null;
}

export function takesGzip(acceptEncoding: string | undefined): boolean {
  const given = weights(acceptEncoding ?? '');
  return (given.get('gzip') ?? given.get('*') ?? 0) > 0;
}

/** Compares weakly, as RFC 9110 wants it for If-None-Match. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, given]) => given === opaque);
}

/** Below this a body gains nothing. */
const leastCompressed = 1024;
/** Below this size, going to another thread and back costs more than the compression. */
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
  return c.body(new Uint8Array(isShort ? gzipSync(body, fast) : await compressElsewhere(body, fast)));
}

interface CsvFile {
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

/** @param file null for HEAD */
export function sendXlsx(c: Context, name: string, file: Uint8Array<ArrayBuffer> | null): Response {
  setCommon(c);
  c.header('content-type', xlsx);
  c.header('content-disposition', `attachment; filename="${name}.xlsx"`);
  if (file === null) return c.body(null);
  holdBytes(c, file.byteLength);
  c.header('content-length', String(file.byteLength));
  return c.body(file);
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

// What a file is called that a person keeps.

/**
 * Without its ending. The account and the moment keep only characters that are safe in a header and on every
 * file system.
 *
 * @param account null for an answer about no account
 * @param moment RFC 3339, or a day
 */
export function fileNameOf(account: string | null, what: string, moment: string): string {
  const parts = ['custody-mirror', account, what, moment.replace(/\.\d+/, '').replaceAll(':', '')];
  return parts.flatMap((part) => part?.slice(0, 80).replaceAll(/[^\w.-]/g, '_') ?? []).join('-');
}
