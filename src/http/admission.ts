// Decides which requests are answered. The host name must be one of the mirror's: else a foreign web page could point its own
// name at this address and read the answers in a browser (DNS rebinding). Addresses are allowed, for probes and scrapers. If
// there is a token, everything but the two probes requires it.
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { Context, Hono } from 'hono';
import type { Secret } from '../base/secret.ts';

export interface AdmissionOptions {
  /** The address that the server listens on. */
  readonly host: string;
  /** HTTP_ALLOWED_HOSTS: host names that are answered besides those of this machine, in lower case. */
  readonly allowedHosts?: readonly string[];
  /** HTTP_TOKEN; without it every client that reaches the address is answered. */
  readonly token?: Secret | null;
}

/** Probes have no token, and these answers tell nothing about the account. */
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
        'this server is not reached by that host name; add the name to HTTP_ALLOWED_HOSTS\n',
        421,
      );
    if (token !== null && !openPaths.includes(c.req.path) && !holds(c, token)) {
      c.header('www-authenticate', 'Basic realm="custody-mirror", charset="UTF-8"');
      return c.text('send the token as a bearer token, or as the password of any user\n', 401);
    }
    return await next();
  });
}

/** True for `localhost` and for every loopback address, in any spelling. */
export function isThisMachine(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** The host that the request names, without port and without the brackets of an IPv6 address. */
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

/** Compares in constant time. */
function isSame(value: string, token: Secret): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(value), digest(token.reveal()));
}
