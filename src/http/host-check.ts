// Answers only requests whose Host header is a name of this server. Else a foreign web page could point its
// own name at this address and read the answers in a browser (DNS rebinding). Addresses are allowed, for
// probes and scrapers.
import { BlockList, isIP } from 'node:net';
import type { Context, Hono } from 'hono';
import type { AccessEnv } from './request/environment.ts';
import { refuse } from './request/refusal.ts';

export interface HostCheckOptions {
  /** The address that the server listens on. */
  readonly host: string;
  /** HTTP_ALLOWED_HOSTS: host names that are answered besides those of this machine, in lower case. */
  readonly allowedHosts?: readonly string[];
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

export function requireKnownHost(app: Hono<AccessEnv>, { host, allowedHosts = [] }: HostCheckOptions): void {
  const isLocal = isThisMachine(host);
  const isKnown = (name: string) =>
    isThisMachine(name) || allowedHosts.includes(name.toLowerCase()) || (!isLocal && isIP(name) !== 0);
  app.use(async (c, next) => {
    if (isKnown(hostOf(c))) return await next();
    return refuse(c, {
      kind: 'misdirected',
      detail: 'this server is not reached by that host name; add the name to HTTP_ALLOWED_HOSTS',
    });
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
