// Checks whether ports can be opened, and the path to another machine: name resolution, trust in its
// certificate, agreement of the clocks.
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { z } from 'zod';
import { explainBindError, isPortTaken } from '../../base/bind-error.ts';
import { bareHost, type HttpProxy } from '../../base/config/proxy.ts';
import { Late, within } from '../../base/waiting.ts';
import { connectTo, ProxyFault } from '../../custody/http/connections.ts';
import { errorCode, fixForCode } from '../../domain/errors.ts';
import { bad, type Findings, type Found, note, ok } from './finding.ts';

const waitMs = 10_000;
const dayMs = 24 * 3_600_000;
const soonDays = 14;
/** A greater difference between two clocks is worth a note. */
const toleranceMs = 5_000;

/** An IP address needs no lookup. */
export async function checkName(host: string): Promise<Findings> {
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return null;
  try {
    const { address } = await within(waitMs, lookup(bareHost(host)));
    return ok(`${host} is ${address}`);
  } catch (error) {
    const code = error instanceof Late ? 'TIMEOUT' : errorCode(error);
    const fix = 'check the name and the DNS of this machine or container';
    return bad(`${host} cannot be resolved (${code})`, fix);
  }
}

/** Only a handshake, through the proxy if there is one: no request is sent. */
export async function checkCertificate(url: URL, proxy: HttpProxy | null): Promise<Findings> {
  if (url.protocol !== 'https:') return note('not encrypted: the address begins with http://');
  const end = new AbortController();
  try {
    const socket = await within(waitMs, connectTo(url, proxy, end.signal));
    if (!(socket instanceof TLSSocket)) throw new TypeError('not encrypted');
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs);
    const result = `${socket.getProtocol() ?? 'TLS'}, certificate valid for ${days} more days`;
    return days < soonDays ? note(result, 'the service has to renew it soon') : ok(result);
  } catch (error) {
    if (error instanceof ProxyFault) return bad(error.message, fixForCode('PROXY') ?? '');
    return bad(
      `no encrypted connection to ${url.host} (${error instanceof Late ? 'TIMEOUT' : errorCode(error)})`,
      'check the address; for a private certificate authority, name its file in NODE_EXTRA_CA_CERTS',
    );
  } finally {
    end.abort();
  }
}

/**
 * Whether another clock agrees with this machine's, within the time between a request and its answer.
 *
 * @param shown what the other clock showed at some moment between them
 * @param reason another possible reason for a difference
 */
export function compareClocks(
  { shown, askedAt, answeredAt }: Readonly<Record<'shown' | 'askedAt' | 'answeredAt', number>>,
  fix: string,
  reason = '',
): Found {
  const difference = shown < askedAt ? shown - askedAt : Math.max(0, shown - answeredAt);
  if (Math.abs(difference) <= toleranceMs) return ok('agrees with this machine');
  const seconds = Math.round(Math.abs(difference) / 1000);
  const side = difference < 0 ? 'behind' : 'ahead of';
  return note(`${seconds} s ${side} this machine${reason}`, fix);
}

const health = z.object({ alive: z.boolean(), role: z.string() });

/** Whether the port can be opened. A running custody-mirror may have it. */
export async function checkPort(host: string, port: number | null, setBy: string): Promise<Findings> {
  if (port === null || port === 0) return null;
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return ok(`port ${port} of ${host} is free`);
  } catch (error) {
    const role = isPortTaken(error) ? await roleBehind(host, port) : null;
    if (role !== null) return ok(`custody-mirror is running on port ${port} of ${host} (${role})`);
    const { message } = explainBindError(error, { host, port, setBy: { host: 'HTTP_HOST', port: setBy } });
    const [, subject = setBy, fault = message] = /^(\w+).*?: (.*)$/.exec(message) ?? [];
    return { ...bad(fault), subject };
  } finally {
    server.close();
  }
}

/** The role of the custody-mirror at this address; null if anything else answers, or nothing does. */
async function roleBehind(host: string, port: number): Promise<string | null> {
  const reached =
    { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const signal = AbortSignal.timeout(2_000);
    const answer = await fetch(`http://${reached}:${port}/healthz`, { signal, redirect: 'error' });
    return health.parse(await answer.json()).role;
  } catch {
    return null;
  }
}
