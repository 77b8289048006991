// The rules for every answer: only GET and HEAD, a short address and no body, a Host header that is a name of
// this server, headers that forbid a browser to load anything from elsewhere, to embed it or to cache it, and
// errors are answered in the format of their surface.
import { isIP } from 'node:net';
import type { Context, Hono } from 'hono';
import { isWithin, thisMachine } from '../base/config/networks.ts';
import type { Logger } from '../base/logger.ts';
import { createErrorAnswer } from '../http/access/observe.ts';
import type { AccessEnv } from '../http/request/environment.ts';
import { refuse } from '../http/request/refusal.ts';

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
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
        detail: 'only GET and HEAD are allowed',
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
        detail: 'requests must not have a body',
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

export interface HostCheckOptions {
  /** The address that the server listens on. */
  readonly host: string;
  /** HTTP_ALLOWED_HOSTS: host names that are answered besides those of this machine, in lower case. */
  readonly allowedHosts?: readonly string[];
}

/**
 * Answers only requests whose Host header is a name of this server. Else a foreign web page could point its
 * own name at this address and read the answers in a browser (DNS rebinding). Addresses are allowed, for
 * probes and scrapers.
 */
export function requireKnownHost(app: Hono<AccessEnv>, { host, allowedHosts = [] }: HostCheckOptions): void {
  const isLocal = isThisMachine(host);
  const isKnown = (name: string) =>
    isThisMachine(name) || allowedHosts.includes(name.toLowerCase()) || (!isLocal && isIP(name) !== 0);
  app.use(async (c, next) => {
    if (hostsOf(c).every(isKnown)) return await next();
    return refuse(c, {
      kind: 'misdirected',
      detail: 'unknown host name: add it to HTTP_ALLOWED_HOSTS',
    });
  });
}

/** True for `localhost` and for every loopback address, in any spelling. */
export function isThisMachine(host: string): boolean {
  return isIP(host) === 0 ? host.toLowerCase() === 'localhost' : isWithin(thisMachine, host);
}

/**
 * The hosts that the request names, in its Host header and in a target that is a whole address, without port
 * and without the brackets of an IPv6 address.
 */
function hostsOf(c: Context<AccessEnv>): readonly string[] {
  const [, authority] = /^[a-z]+:\/\/([^/?#]*)/i.exec(c.env.incoming.url ?? '') ?? [];
  return [c.req.header('host') ?? '', ...(authority === undefined ? [] : [authority])].map((host) =>
    host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1'),
  );
}

/**
 * Refuses what a page of another site makes a browser ask for, but for a link that a person follows (Fetch
 * Metadata). Programs do not send these header fields.
 */
export function refuseOtherSites(app: Hono<AccessEnv>): void {
  app.use(async (c, next) => {
    const sent = (name: string) => c.req.header(`sec-fetch-${name}`);
    const isFollowed = c.req.method === 'GET' && sent('mode') === 'navigate' && sent('dest') === 'document';
    if (sent('site') !== 'cross-site' || isFollowed) return await next();
    return refuse(c, {
      kind: 'forbidden',
      detail: 'another site may link to a page, and request nothing from here',
    });
  });
}
