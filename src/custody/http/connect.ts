// Opens a connection to the custody service: directly, or through a tunnel (CONNECT) of the proxy. Invariant: when
// the signal is aborted, every socket that was opened for the connection is destroyed, whatever it waits for.
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
  /** The proxy refused, which a retry does not change. */
  readonly isRefusal: boolean;

  constructor(
    proxy: HttpProxy,
    what: string,
    { isRefusal = false, cause }: { isRefusal?: boolean; cause?: unknown } = {},
  ) {
    super(`the proxy ${proxyName(proxy)} ${what}`, { cause });
    this.isRefusal = isRefusal;
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
  const socket = proxy === null ? openSocket(target) : await openTunnel(proxy, target, signal);
  if (proxy === null) await ready(socket, 'connect', signal);
  proxied();
  if (!isEncrypted) return socket;
  // Server names are names, never addresses (RFC 6066, section 3).
  const servername = isIP(host) === 0 ? host : '';
  return await ready(
    openTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] }),
    'secureConnect',
    signal,
  );
}

async function ready<Kind extends Socket>(socket: Kind, event: string, signal: AbortSignal): Promise<Kind> {
  guard(socket, signal);
  await once(socket, event);
  return socket;
}

/** Destroys the socket with the signal. Nobody listens to its errors while it changes hands. */
function guard(socket: Socket, signal: AbortSignal): void {
  socket.on('error', () => undefined);
  addAbortSignal(signal, socket);
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
    const request = send({ host, port, method: 'CONNECT', path, headers, agent: false, signal });
    request.on('error', (cause) => reject(new ProxyFault(proxy, `failed: ${cause.message}`, { cause })));
    request.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      guard(socket, signal);
      if (statusCode >= 200 && statusCode <= 299) return resolve(socket);
      socket.destroy();
      const isRefusal = statusCode >= 400 && statusCode <= 499 && statusCode !== 408 && statusCode !== 429;
      const why = statusCode === 407 ? ': it wants another user and password' : '';
      reject(
        new ProxyFault(proxy, `refused a tunnel to ${path} with HTTP ${statusCode}${why}`, { isRefusal }),
      );
    });
    request.end();
  });
}
