// The rules for every answer: only GET and HEAD, headers that forbid a browser to load, embed or cache anything, a plain 404,
// and errors that are logged and not shown.
import type { Hono } from 'hono';
import type { Logger } from '../base/logger.ts';
import { styleSource } from './status-style.ts';

const headers = {
  'content-security-policy': `default-src 'none'; style-src ${styleSource}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

export function protect(
  app: Hono,
  { logger, isClosing }: { readonly logger: Logger; readonly isClosing: () => boolean },
): void {
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (isClosing()) c.header('connection', 'close');
    const { method } = c.req;
    if (method === 'GET' || method === 'HEAD') return await next();
    return c.text('only GET and HEAD are answered here\n', 405, { allow: 'GET, HEAD' });
  });
  app.notFound((c) => c.text('this page does not exist; the status page is at /\n', 404));
  app.onError((error, c) => {
    logger.error({ err: error, path: c.req.path }, 'answering a request failed');
    return c.text('this request failed; the log says why\n', 500);
  });
}
