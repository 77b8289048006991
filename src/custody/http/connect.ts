// Opens a connection to the custody service: directly, or through a tunnel (CONNECT) of the proxy. Invariant:
// aborting the signal destroys every socket that was opened for the connection, whatever it waits for.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, connect as openSocket, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as openTls, type TLSSocket } from 'node:tls';
import { bareHost, type HttpProxy, proxyName } from '../../base/config/proxy.ts';

/** The proxy is at fault, not the service. The message names it. */
export class ProxyFault extends Error {
  override readonly name = 'ProxyFault';
  /** The proxy refused, so a retry is pointless. */
  readonly isRefusal: boolean;
  /** It rejected user and password (HTTP 407). */
  readonly isRejection: boolean;

  constructor(proxy: HttpProxy, what: string, { status = 0, cause }: { status?: number; cause?: unknown }) {
    super(`the proxy ${proxyName(proxy)} ${what}`, { cause });
    this.isRefusal = status >= 400 && status <= 499 && status !== 408 && status !== 429;
    this.isRejection = status === 407;
  }
}

/** @param proxied called when the proxy has opened its tunnel */
export async function connectTo(
  { protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  proxy: HttpProxy | null,
  signal: AbortSignal,
  proxied: () => void = () => undefined,
): Promise<Socket | TLSSocket> {
  const isEncrypted = protocol === 'https:';
  const host = bareHost(hostname);
  const target = { host, port: Number(port || (isEncrypted ? 443 : 80)) };
  const servername = serverName(host);
  const tls = { host, servername, ALPNProtocols: ['http/1.1'] };
  if (proxy !== null) {
    const socket = await openTunnel(proxy, target, signal);
    proxied();
    if (!isEncrypted) return guarded(socket, signal);
    // Only the outer socket is destroyed: Node.js 20 crashes when the inner one goes first.
    return await ready(openTls({ ...tls, socket }), 'secureConnect', signal);
  }
  return isEncrypted
    ? await ready(openTls({ ...tls, ...target }), 'secureConnect', signal)
    : await ready(openSocket(target), 'connect', signal);
}

/** Server names are names, never addresses (RFC 6066, section 3). */
function serverName(host: string): string {
  return isIP(host) === 0 ? host : '';
}

async function ready<Kind extends Socket>(socket: Kind, event: string, signal: AbortSignal): Promise<Kind> {
  guarded(socket, signal);
  await once(socket, event);
  return socket;
}

/** The socket, destroyed on abort. Nothing else handles its errors during the handover. */
function guarded<Kind extends Socket>(socket: Kind, signal: AbortSignal): Kind {
  socket.on('error', () => undefined);
  return addAbortSignal(signal, socket);
}

function openTunnel(
  proxy: HttpProxy,
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const { protocol, host, port, authorization } = proxy;
  const path = proxyName(target);
  const credentials = authorization === null ? {} : { 'proxy-authorization': authorization.reveal() };
  const headers = { host: path, ...credentials };
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const servername = serverName(host); // Not that of the header.
    const request = send({ host, port, servername, method: 'CONNECT', path, headers, agent: false });
    const stop = () => request.destroy(new Error('given up'));
    signal.addEventListener('abort', stop, { once: true });
    request.once('close', () => signal.removeEventListener('abort', stop));
    request.on('error', (cause) => reject(new ProxyFault(proxy, `failed: ${cause.message}`, { cause })));
    request.once('connect', ({ statusCode: status = 0 }, socket: Socket) => {
      signal.removeEventListener('abort', stop);
      socket.on('error', () => undefined);
      if (status >= 200 && status <= 299 && !signal.aborted) return resolve(socket);
      socket.destroy();
      const why = status === 407 ? ': it wants a different user and password' : '';
      reject(new ProxyFault(proxy, `refused a tunnel to ${path} with HTTP ${status}${why}`, { status }));
    });
    request.end();
  });
}
