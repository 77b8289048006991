// Who is answered. Only names that are known to be the mirror's are: a page of somebody else's, opened in a browser that
// reaches this address, must not have its own name point here and read along (DNS rebinding). An address is no name, so that
// probes and scrapers that ask a pod by its address are answered. With a token, everything but the two probes wants it.
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { Context, Hono } from 'hono';
import type { Secret } from '../base/secret.ts';

export interface AdmissionOptions {
  /** The address that is listened on. */
  readonly host: string;
  /** HTTP_ALLOWED_HOSTS: names that are answered to besides those of this machine, in lower case. */
  readonly allowedHosts?: readonly string[];
  /** HTTP_TOKEN; without it everybody who reaches the address is answered. */
  readonly token?: Secret | null;
}

/** Probes know no token, and learn nothing of the account. */
const openPaths = ['/healthz', '/readyz'];
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

export function admit(app: Hono, { host, allowedHosts = [], token = null }: AdmissionOptions): void {
  const isLocal = isThisMachine(host);
  const isKnown = (name: string) =>
    isThisMachine(name) || allowedHosts.includes(name.toLowerCase()) || (!isLocal && isIP(name) !== 0);
  app.use(async (c, next) => {
    if (!isKnown(hostOf(c)))
      return c.text(
        'this server does not answer to that name; HTTP_ALLOWED_HOSTS lists those that it does\n',
        421,
      );
    if (token !== null && !openPaths.includes(c.req.path) && !holds(c, token)) {
      c.header('www-authenticate', 'Basic realm="custody-mirror", charset="UTF-8"');
      return c.text('a token is needed: as a bearer token, or as the password of any user\n', 401);
    }
    return await next();
  });
}

/** However it is spelled: an address or name that leads nowhere but to the machine itself. */
export function isThisMachine(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** Without its port, and an IPv6 address without its brackets. */
function hostOf(c: Context): string {
  return (c.req.header('host') ?? '').replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
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
