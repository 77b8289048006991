// Who is answered. A server for this machine alone answers to this machine's names only, so that a page of somebody else's,
// opened in a browser here, cannot have its own name point here and read along. With a token, everything but the two
// probes wants it.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import type { Secret } from '../base/secret.ts';

export interface AdmissionOptions {
  /** The address that is listened on. */
  readonly host: string;
  /** HTTP_TOKEN; without it everybody who reaches the address is answered. */
  readonly token?: Secret | null;
}

/** Probes know no token, and learn nothing of the account. */
const openPaths = ['/healthz', '/readyz'];
const thisMachine = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export function admit(app: Hono, { host, token = null }: AdmissionOptions): void {
  const isLocal = thisMachine.test(host.includes(':') ? `[${host}]` : host);
  app.use(async (c, next) => {
    if (isLocal && !thisMachine.test(hostOf(c)))
      return c.text('this address answers to the names of this machine only; see HTTP_HOST\n', 421);
    if (token !== null && !openPaths.includes(c.req.path) && !holds(c, token)) {
      c.header('www-authenticate', 'Basic realm="custody-mirror", charset="UTF-8"');
      return c.text('a token is needed: as a bearer token, or as the password of any user\n', 401);
    }
    return await next();
  });
}

/** Without its port. */
function hostOf(c: Context): string {
  return (c.req.header('host') ?? '').toLowerCase().replace(/:\d*$/, '');
}

function holds(c: Context, token: Secret): boolean {
  const [scheme = '', value = ''] = (c.req.header('authorization') ?? '').split(/ +/, 2);
  if (/^bearer$/i.test(scheme)) return isSame(value, token);
  if (!/^basic$/i.test(scheme)) return false;
  const credentials = Buffer.from(value, 'base64').toString('utf8');
  return isSame(credentials.slice(credentials.indexOf(':') + 1), token);
}

/** Takes as long whatever is wrong with the value. */
function isSame(value: string, token: Secret): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(value), digest(token.reveal()));
}
