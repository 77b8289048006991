// The rules for every answer: only GET and HEAD, a short address and no body, headers that forbid a browser
// to load anything from elsewhere, to embed it or to cache it, and what is not there or fails is told in the
// form of its surface.
import type { Hono } from 'hono';
import type { Logger } from '../base/logger.ts';
import { createErrorAnswer } from './access/failures.ts';
import type { AccessEnv } from './request/environment.ts';
import { refuse } from './request/refusal.ts';

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** The longest address, in characters; the filters of a table take a few hundred. */
const longestUrl = 8_000;

export function protect(
  app: Hono<AccessEnv>,
  { logger, isClosing }: { readonly logger: Logger; readonly isClosing: () => boolean },
): void {
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (isClosing()) c.header('connection', 'close');
    const { method } = c.req;
    if (method !== 'GET' && method !== 'HEAD')
      return refuse(c, {
        kind: 'method-not-allowed',
        detail: 'only GET and HEAD are answered here',
        headers: { allow: 'GET, HEAD' },
      });
    if (c.req.url.length > longestUrl)
      return refuse(c, {
        kind: 'address-too-long',
        detail: `an address has ${longestUrl} characters at most`,
      });
    if (hasBody(c.req.header('content-length'), c.req.header('transfer-encoding')))
      return refuse(c, {
        kind: 'bad-request',
        detail: 'a request has no body here',
        headers: { connection: 'close' },
      });
    return await next();
  });
  app.notFound((c) =>
    refuse(c, { kind: 'not-found', detail: 'this page does not exist; the overview is at /' }),
  );
  app.onError(createErrorAnswer(logger));
}

function hasBody(length: string | undefined, encoding: string | undefined): boolean {
  return encoding !== undefined || (length !== undefined && length !== '0');
}
