// How much a page loads: each answer as it is, and as it is with gzip where the server does not compress it.
import { gzipSync } from 'node:zlib';
import type { CDPSession } from 'playwright-core';

export interface Traffic {
  readonly requests: number;
  /** Bodies as they were sent. */
  readonly sentBytes: number;
  /** Bodies in gzip: as they were sent where they were compressed, else as they would be. */
  readonly gzippedBytes: number;
}

interface Size {
  readonly sent: number;
  readonly gzipped: number;
}

/**
 * By the debugging protocol: Playwright asks the page for some bodies again, which its content security
 * policy refuses.
 */
export async function watchTraffic(session: CDPSession): Promise<{ begin(): void; sum(): Promise<Traffic> }> {
  let sizes: Promise<Size>[] = [];
  const heads = new Map<string, { readonly bytes: number; readonly isCompressed: boolean }>();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const names = Object.keys(response.headers).map((name) => name.toLowerCase());
    heads.set(requestId, {
      bytes: response.encodedDataLength,
      isCompressed: names.includes('content-encoding'),
    });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const head = heads.get(requestId);
    const sent = Math.max(0, encodedDataLength - (head?.bytes ?? 0));
    const gzipped = head?.isCompressed === false ? gzippedBody(session, requestId) : null;
    sizes.push(Promise.resolve(gzipped).then((bytes) => ({ sent, gzipped: bytes ?? sent })));
  });
  await session.send('Network.enable');
  return {
    begin() {
      sizes = [];
    },
    async sum() {
      const found = await Promise.all(sizes);
      return {
        requests: found.length,
        sentBytes: found.reduce((sum, { sent }) => sum + sent, 0),
        gzippedBytes: found.reduce((sum, { gzipped }) => sum + gzipped, 0),
      };
    },
  };
}

/** Null where the browser keeps no body, as of a redirect. */
async function gzippedBody(session: CDPSession, requestId: string): Promise<number | null> {
  const answer = await session.send('Network.getResponseBody', { requestId }).catch(() => null);
  if (answer === null) return null;
  return gzipSync(Buffer.from(answer.body, answer.base64Encoded ? 'base64' : 'utf8')).length;
}
