// The proxy to the custody service: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, read as curl reads them. Invariant:
// user and password of a proxy are a secret, and no fault repeats them.
import { isIP } from 'node:net';
import { Secret } from '../secret.ts';
import { isWithin, readNetworks } from './networks.ts';

export interface HttpProxy {
  /** The protocol of the connection to the proxy itself. */
  readonly protocol: 'http:' | 'https:';
  readonly host: string;
  readonly port: number;
  /** The value of Proxy-Authorization; null without a user. */
  readonly authorization: Secret | null;
}

/** The proxy of an address such as `http://user:password@proxy.example:3128`; undefined for another text. */
export function readProxy(text: string): HttpProxy | undefined {
  const address = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(address);
  const isAddress = hostname !== '' && pathname === '/' && search + hash === '';
  if ((protocol !== 'http:' && protocol !== 'https:') || !isAddress) return undefined;
  // URL leaves out the port that is the default of its protocol; curl has another default.
  const port = /:(\d+)\/?$/.exec(address)?.[1] ?? (protocol === 'https:' ? '443' : '1080');
  try {
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const authorization =
      user === ':' ? null : new Secret(`Basic ${Buffer.from(user, 'utf8').toString('base64')}`);
    return { protocol, host: bareHost(hostname), port: Number(port), authorization };
  } catch {
    return undefined; // A percent sign that encodes nothing.
  }
}

/** Whether NO_PROXY exempts the address from the proxy. */
export function isDirect(list: string, { protocol, hostname, port }: URL): boolean {
  const host = bareHost(hostname).replace(/\.$/, '');
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      // The colons of an IPv6 address begin no port.
      const [, name = '', onlyPort = ownPort] =
        isIP(entry) === 6 ? [entry, entry] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
      return onlyPort === ownPort && covers(bareHost(name.toLowerCase()), host);
    });
}

/** An entry is a domain with all below it, an address, or a network such as 10.0.0.0/8. */
function covers(entry: string, host: string): boolean {
  if (isIP(host) === 0) {
    const domain = entry.replace(/^\*?\./, '').replace(/\.$/, '');
    return domain !== '' && `.${host}`.endsWith(`.${domain}`);
  }
  try {
    return isWithin(readNetworks([entry]), host);
  } catch {
    return false;
  }
}

/** How a proxy is named in messages. */
export function proxyName({ host, port }: Pick<HttpProxy, 'host' | 'port'>): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** An IPv6 address without its brackets. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
