// Parts of an answer that are made as the reader takes them: their producer waits for the reader.
import { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { within } from '../../base/waiting.ts';
import { BrokenStream } from '../../store/read-api/list/stream-csv.ts';

/**
 * A reader that takes nothing for this long is cut: its transaction stands idle meanwhile, which the database
 * ends after 10 seconds.
 */
export const longestStallMs = 9_000;

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

/** The same parts, while `confirm` does not throw; it is asked every five seconds. */
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

/** The same parts; calls back when there are no more, or nobody wants them any more. */
export async function* ending<Part>(parts: AsyncIterable<Part>, onEnd: () => void): AsyncIterable<Part> {
  try {
    yield* parts;
  } finally {
    onEnd();
  }
}

/** Compresses the parts as they are taken: no more of them is read than fits into small buffers. */
export async function* compressed(parts: AsyncIterable<string>): AsyncIterable<Uint8Array<ArrayBuffer>> {
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
