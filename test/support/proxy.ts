// A proxy that opens tunnels (CONNECT) to where it is told, as the tests need it: with a password, refusing,
// silent, or cutting tunnels. It speaks TLS where it gets a certificate.
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { ServerCertificate } from './certificates.ts';
import { listening } from './listening.ts';

export interface ProxyOptions {
  readonly certificate?: ServerCertificate;
  /** `user:password` */
  readonly credentials?: string;
  /** Where every tunnel leads, whatever host it names. */
  readonly port?: number;
  /** Answers in place of a tunnel; undefined opens one. */
  readonly refuse?: (tunnel: number) => string | undefined;
  /** Never answers. */
  readonly isSilent?: boolean;
  /** Cuts a tunnel after so many bytes of the service. */
  readonly cutAfter?: (tunnel: number) => number | undefined;
}

export interface RunningProxy {
  readonly port: number;
  /** What tunnels were asked for, by authority. */
  readonly asked: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Sockets that are open now. */
  open(): number;
}

export async function startProxy(options: ProxyOptions = {}): Promise<RunningProxy> {
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const services = new Set<Socket>();
  const { certificate } = options;
  const server =
    certificate === undefined
      ? createServer()
      : createTlsServer({ cert: certificate.certificate, key: certificate.key });
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    client.on('error', () => undefined);
    asked.push(request.url ?? '');
    headers.push(request.headers);
    // Read, so that its end is noticed.
    client.on('end', () => client.end());
    if (options.isSilent) return void client.resume();
    const refusal = refusalOf(request, asked.length, options);
    if (refusal !== undefined) return void client.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const service = connect(options.port ?? Number(port), options.port ? '127.0.0.1' : hostname);
    services.add(service);
    service.on('error', () => undefined).on('close', () => services.delete(service));
    const cut = options.cutAfter?.(asked.length);
    let passed = 0;
    service.on('data', (part) => {
      passed += part.length;
      if (cut !== undefined && passed > cut) client.destroy();
    });
    service.on('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(service).pipe(client);
    });
    service.on('close', () => client.destroy());
    client.on('close', () => service.destroy());
  });
  const { port, sockets } = await listening(server);
  return { port, asked, headers, open: () => sockets.size + services.size };
}

function refusalOf(request: IncomingMessage, tunnel: number, options: ProxyOptions): string | undefined {
  const wanted = options.credentials && `Basic ${Buffer.from(options.credentials).toString('base64')}`;
  if (wanted && request.headers['proxy-authorization'] !== wanted)
    return '407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"';
  return options.refuse?.(tunnel);
}
