// Parts of an answer that are made as the reader takes them: who makes them waits for who reads.
import { within } from '../../../base/waiting.ts';

/** A reader that takes nothing for this long is cut: its transaction stands idle meanwhile, which the database ends after 10 seconds. */
export const longestStallMs = 9_000;

/**
 * Runs the work, which gives its parts to `write`, and resolves with them once the first one is there. The work ends when the
 * parts are returned, or when nobody takes the next one.
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
        // Without effect once the first part is there.
        reject(error);
        return writer.abort(error);
      })
      // Who left does not hear how it ended.
      .catch(() => undefined);
  });
}
