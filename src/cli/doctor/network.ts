// What lies between this machine and another: whether its host can be found by name, whether its certificate
// is one that this process trusts, and whether its clock agrees.
import { lookup } from 'node:dns/promises';
import { TLSSocket } from 'node:tls';
import { bareHost, type HttpProxy, proxyName } from '../../base/config/proxy.ts';
import { Late, within } from '../../base/waiting.ts';
import { connectTo, ProxyFault } from '../../custody/http/connect.ts';
import { fixForCode } from '../../domain/error-codes.ts';
import { errorCode } from '../../domain/errors.ts';
import { bad, type Finding, note, ok } from './finding.ts';

const waitMs = 10_000;
const dayMs = 24 * 3_600_000;
const soonDays = 14;

export async function checkName(subject: string, host: string): Promise<Finding> {
  try {
    const { address } = await within(waitMs, lookup(bareHost(host)));
    return ok(subject, `${host} is ${address}`);
  } catch (error) {
    const code = error instanceof Late ? 'TIMEOUT' : errorCode(error);
    const fix = 'check the name and the DNS of this machine or container';
    return bad(subject, `${host} is not found (${code})`, fix);
  }
}

/** Which route requests to the custody service take. */
export function describeRoute(proxy: HttpProxy | null): Finding {
  return ok('route', proxy === null ? 'direct' : `through the proxy ${proxyName(proxy)}`);
}

/** A handshake only, through the proxy where there is one: no request is sent. */
export async function checkCertificate(subject: string, url: URL, proxy: HttpProxy | null): Promise<Finding> {
  if (url.protocol !== 'https:') return note(subject, 'not encrypted: the address begins with http://');
  try {
    const { protocol, validTo } = await handshake(url, proxy);
    const days = Math.floor((Date.parse(validTo) - Date.now()) / dayMs);
    const result = `${protocol}, certificate valid for ${days} more days`;
    return days < soonDays ? note(subject, result, 'the service has to renew it') : ok(subject, result);
  } catch (error) {
    if (error instanceof ProxyFault) return bad(subject, error.message, fixForCode('PROXY') ?? '');
    return bad(
      subject,
      `no encrypted connection to ${url.host} (${errorCode(error)})`,
      'check the address; for your own certificate authority, name its file in NODE_EXTRA_CA_CERTS',
    );
  }
}

async function handshake(url: URL, proxy: HttpProxy | null): Promise<{ protocol: string; validTo: string }> {
  const end = new AbortController();
  try {
    const socket = await within(waitMs, connectTo(url, proxy, end.signal));
    if (!(socket instanceof TLSSocket)) throw new TypeError('not encrypted');
    const protocol = socket.getProtocol() ?? 'TLS';
    return { protocol, validTo: socket.getPeerCertificate().valid_to };
  } catch (error) {
    throw error instanceof Late ? Object.assign(error, { code: 'TIMEOUT' }) : error;
  } finally {
    end.abort();
  }
}

/** A greater difference is worth a note. */
const toleranceMs = 5_000;

/**
 * Whether another clock agrees with this machine's, within the time between a request and its answer.
 *
 * @param shown what the other clock showed at some moment between them
 * @param reason another possible reason for a difference
 */
export function compareClocks(
  subject: string,
  { shown, askedAt, answeredAt }: Readonly<Record<'shown' | 'askedAt' | 'answeredAt', number>>,
  fix: string,
  reason = '',
): Finding {
  const difference = shown < askedAt ? shown - askedAt : Math.max(0, shown - answeredAt);
  if (Math.abs(difference) <= toleranceMs) return ok(subject, 'agrees with this machine');
  const seconds = Math.round(Math.abs(difference) / 1000);
  const side = difference < 0 ? 'behind' : 'ahead of';
  return note(subject, `${seconds} s ${side} this machine${reason}`, fix);
}
