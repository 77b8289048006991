// A stream that is written as the reader takes it: who writes waits for who reads.

import { within } from '../../../base/waiting.ts';

/** A reader that takes nothing for this long is cut: its transaction would hold old rows of the database. */
const longestStallMs = 9_000;

/**
 * Runs the work, which gives its parts to `write`, and resolves with the stream once the first part is there.
 *
 * @throws what the work throws before its first part; later failures break the stream off
 */
export async function streamOf(
  work: (write: (part: string) => Promise<void>) => Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  return await new Promise((resolve, reject) => {
    let begun = false;
    const write = (part: string) => {
      if (!begun) resolve(readable);
      begun = true;
      return within(longestStallMs, writer.write(encoder.encode(part)));
    };
    work(write)
      .then(() => writer.close())
      .catch((error: unknown) => {
        if (!begun) reject(error);
        else onFailure(error);
        return writer.abort(error);
      })
      // Who left does not hear how it ended.
      .catch(() => undefined);
  });
}
