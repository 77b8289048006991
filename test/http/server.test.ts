import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { Secret } from '../../src/base/secret.ts';
import { MirrorError } from '../../src/domain/errors.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { StatusReport } from '../../src/store/query/status.ts';
import { onCleanup } from '../support/cleanup.ts';
import { capturingLogger, silentLogger } from '../support/loggers.ts';
import { problem, readAt, statusReport } from '../support/status-report.ts';
import { waitFor } from '../support/wait-for.ts';
import { atWork, startServer } from './running-server.ts';

const never = () => new Promise<never>(() => undefined);
const unreachable = async () => {
  throw new MirrorError('DATABASE-UNREACHABLE', 'db.example:5432 cannot be reached; start it');
};

test('healthz tells that the process works and asks nobody', async () => {
  let asked = 0;
  const count = async () => {
    asked += 1;
    return statusReport();
  };
  const { get } = await startServer({ readStatus: count, checkDatabase: count });
  const answer = await get('/healthz');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ alive: true, role: 'writer', version: '1.2.3' });
  expect(asked).toBe(0);
});

test('healthz answers 503 once the process cannot work any more', async () => {
  const { get } = await startServer({ health: () => ({ ...atWork, alive: false }) });
  expect((await get('/healthz')).status).toBe(503);
});

test('readyz gives the reasons of a process that is not ready', async () => {
  const health = () => ({ ...atWork, ready: false, reasons: ['migrations run'], role: 'starting' as const });
  const { get } = await startServer({ health });
  const answer = await get('/readyz');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ ready: false, role: 'starting', reasons: ['migrations run'] });
});

test('readyz is 200 on a standby', async () => {
  const { get } = await startServer({ health: () => ({ ...atWork, role: 'standby' }) });
  const answer = await get('/readyz');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ ready: true, role: 'standby', reasons: [] });
});

test('readyz says that the database is away, and that it does not answer', async () => {
  const away = await startServer({ checkDatabase: unreachable });
  const answer = await away.get('/readyz');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ reasons: ['db.example:5432 cannot be reached; start it'] });

  const hanging = await startServer({ checkDatabase: never });
  const late = await hanging.get('/readyz');
  expect(late.status).toBe(503);
  expect(await late.json()).toMatchObject({ reasons: ['the database did not answer within 0.8 s'] });
});

test('metrics are scraped with what the database holds, and without it when it hangs', async () => {
  const report = statusReport({
    anomalies: [{ kind: 'unknown-value', open: 4, lastObservedAt: readAt }],
    quarantine: [{ resource: 'balances', open: 2, lastObservedAt: readAt }],
  });
  const { get } = await startServer({ readStatus: async () => report });
  const answer = await get('/metrics');
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const text = await answer.text();
  expect(text).toContain('custody_mirror_anomalies_open{kind="unknown-value"} 4');
  expect(text).toContain('custody_mirror_quarantine_open_records{resource="balances"} 2');

  const hanging = await startServer({ readStatus: never });
  const late = await hanging.get('/metrics');
  expect(late.status).toBe(200);
  expect(await late.text()).toContain('# HELP custody_mirror_requests_total');
});

test('metrics of a status that can no longer be read are unknown, and come back with it', async () => {
  const report = statusReport({
    problems: [problem()],
    anomalies: [{ kind: 'unknown-value', open: 4, lastObservedAt: readAt }],
    quarantine: [{ resource: 'balances', open: 2, lastObservedAt: readAt }],
  });
  const clock = { ms: 0 };
  let readStatus: () => Promise<StatusReport> = async () => report;
  const { get } = await startServer({ readStatus: () => readStatus(), monotonicMs: () => clock.ms });
  const scrape = async (ms: number, next: typeof readStatus) => {
    clock.ms += ms;
    readStatus = next;
    return await (await get('/metrics')).text();
  };
  const series = /^custody_mirror_(health_problem|quarantine_open_records|anomalies_open)\{.*$/gm;
  const known = await scrape(0, async () => report);
  expect(known).toContain('custody_mirror_healthy 0');
  expect(known.match(series)).toHaveLength(6);

  const failed = await scrape(16_000, unreachable);
  expect(failed).toContain('custody_mirror_healthy Nan');
  expect(failed.match(series)).toBeNull();
  expect(failed).toMatch(/^custody_mirror_last_success_timestamp_seconds\{mirror_job="balances"\} 1\d+/m);

  expect(await scrape(16_000, async () => report)).toContain('custody_mirror_healthy 0');
  expect(await scrape(16_000, never)).toContain('custody_mirror_healthy 0');
  const hanging = await scrape(16_000, never);
  expect(hanging).toContain('custody_mirror_healthy Nan');
  expect(hanging.match(series)).toBeNull();
});

test('status.json is the report as it was read, with the verdict', async () => {
  const { get } = await startServer();
  const answer = await get('/status.json');
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toEqual({ healthy: true, reasons: [], ...statusReport() });
});

test('a status that cannot be read is told with our words, and with the code alone for errors of others', async () => {
  const away = await startServer({ readStatus: unreachable });
  const answer = await away.get('/status.json');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({
    error: { code: 'DATABASE-UNREACHABLE', message: 'db.example:5432 cannot be reached; start it' },
    unknownSince: null,
  });
  const { logger, entries } = capturingLogger();
  const odd = await startServer({
    logger,
    readStatus: () => Promise.reject(new Error('internals nobody should read')),
  });
  expect(await (await odd.get('/status.json')).text()).not.toContain('internals');
  expect(entries()).toMatchObject([{ level: 'warn', msg: 'reading the status failed' }]);
});

test('many viewers at once are one reading of the database', async () => {
  let reads = 0;
  let answer: (report: StatusReport) => void = () => undefined;
  const readStatus = () => {
    reads += 1;
    return new Promise<StatusReport>((resolve) => {
      answer = resolve;
    });
  };
  const { get } = await startServer({ readStatus });
  const waiting = Promise.all(
    ['/', '/status.json', '/', '/metrics', '/status.json'].map((path) => get(path)),
  );
  await waitFor(() => reads > 0);
  answer(statusReport());
  expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(reads).toBe(1);
});

test('only GET and HEAD are answered', async () => {
  const { get } = await startServer();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await get('/healthz', { method });
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
  }
  for (const path of ['/', '/healthz', '/readyz', '/metrics', '/status.json']) {
    const answer = await get(path, { method: 'HEAD' });
    expect([path, answer.status, await answer.text()]).toEqual([path, 200, '']);
  }
});

test('anything else is a plain 404', async () => {
  const { get } = await startServer();
  for (const path of ['/nothing', '/favicon.ico', '/healthz/', '/../etc/passwd', '/%00']) {
    const answer = await get(path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.headers.get('content-type')).toContain('text/plain');
  }
});

test('every answer leaves a browser nothing to load, embed or keep', async () => {
  const { get } = await startServer();
  for (const path of ['/', '/healthz', '/metrics', '/status.json', '/nothing']) {
    const { headers } = await get(path);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('a fault of our own is logged and answered without its words', async () => {
  const { logger, entries } = capturingLogger();
  const health = () => {
    throw new Error('the words of the fault');
  };
  const { get } = await startServer({ health, logger });
  const answer = await get('/readyz');
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('the words');
  expect(entries()).toMatchObject([{ level: 'error', msg: 'answering a request failed', path: '/readyz' }]);
});

test('a port in use is a fault of the configuration that names HTTP_PORT and the fix', async () => {
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  onCleanup(async () => void other.close());
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const error = await startServer({ port: Number(port) }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(MirrorError);
  expect(error).toMatchObject({ code: 'CONFIGURATION' });
  expect(String(error)).toContain(`HTTP_PORT: port ${port} of 127.0.0.1 is in use by another program`);
});

test('a host that is not of this machine is a fault of the configuration that names HTTP_HOST', async () => {
  const error = await startServer({ host: '192.0.2.1' }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringContaining('HTTP_HOST: 192.0.2.1'),
  });
});

test('the url is one that a person can open', async () => {
  const server = createHttpServer({
    host: '0.0.0.0',
    port: 0,
    metrics: (await startServer()).metrics,
    logger: silentLogger,
    health: () => atWork,
    readStatus: never,
    version: '1',
  });
  const { url, port } = await server.listen();
  onCleanup(() => server.close());
  expect(url).toBe(`http://localhost:${port}`);
});

test('closing ends idle connections, those that say nothing, and those whose answer does not come', async () => {
  const { url, server } = await startServer({ readStatus: never });
  const { port } = new URL(url);
  const idle = connect(Number(port), '127.0.0.1');
  idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(idle, 'data');
  const silent = connect(Number(port), '127.0.0.1');
  await once(silent, 'connect');
  const waiting = request(`${url}/`);
  const ended = new Promise((resolve) => waiting.on('error', resolve).on('response', resolve));
  waiting.end();
  const closings = [idle, silent].map((socket) => once(socket, 'close'));
  await server.close();
  await Promise.all([...closings, ended]);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  await server.close();
});

test('what is no HTTP, or too much of it, is refused and the server goes on', async () => {
  const { url, get } = await startServer();
  const { port } = new URL(url);
  const said = async (text: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    let received = '';
    socket.on('data', (data) => {
      received += data.toString();
    });
    socket.write(text);
    await once(socket, 'close');
    return received.split('\r\n')[0];
  };
  const headers = `x: ${'y'.repeat(20_000)}`;
  expect(await said('hello\r\n\r\n')).toContain('400');
  expect(await said(`GET / HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`)).toContain('431');
  expect(await said('GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n')).toContain('400');
  expect(await said('TRACE / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toContain('405');
  expect((await get('/healthz')).status).toBe(200);
});

test('a server for this machine answers to the names of this machine only', async () => {
  for (const host of ['127.0.0.1', 'LocalHost']) await holdToNames(host);
});

test('a server for a network answers to plain addresses and to the names that are allowed, and to no other', async () => {
  const { url } = await startServer({ host: '0.0.0.0', allowedHosts: ['mirror', 'custody.example'] });
  const { port } = new URL(url);
  const statusFor = async (host: string, path = '/metrics') => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { host } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  for (const host of ['localhost:1', '10.1.2.3:8787', '[fd00::1]', 'mirror:8787', 'Custody.Example'])
    expect(await statusFor(host), host).toBe(200);
  for (const host of ['attacker.example', 'mirror.attacker.example', '10.1.2.3.attacker.example', 'x'])
    for (const path of ['/metrics', '/', '/status.json', '/healthz', '/readyz'])
      expect(await statusFor(host, path), host).toBe(421);
});

async function holdToNames(listened: string): Promise<void> {
  const { url } = await startServer({ host: listened });
  const { port } = new URL(url);
  const statusFor = async (host: string, path = '/metrics') => {
    const sent = request({ host: listened, port, path, headers: { host } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  for (const host of [`127.0.0.1:${port}`, 'localhost', `LOCALHOST:${port}`, '[::1]:1', '127.1.2.3'])
    expect(await statusFor(host), host).toBe(200);
  for (const host of [
    'attacker.example',
    `attacker.example:${port}`,
    '127.0.0.1.attacker.example',
    'localhost.attacker.example',
  ])
    for (const path of ['/metrics', '/', '/status.json', '/healthz'])
      expect(await statusFor(host, path), host).toBe(421);
}

test('with a token everything but the probes wants it, as a bearer token or a password', async () => {
  const { get } = await startServer({ token: new Secret('a-token-of-some-length') });
  const basic = (credentials: string) => ({
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  for (const path of ['/', '/status.json', '/metrics', '/nothing']) {
    const refused = await get(path);
    expect(refused.status, path).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('Basic realm="custody-mirror"');
    for (const headers of [
      bearer('another-token-of-length'),
      bearer(''),
      basic('a-token-of-some-length:x'),
      basic('x'),
    ])
      expect((await get(path, { headers })).status, path).toBe(401);
  }
  for (const headers of [bearer('a-token-of-some-length'), basic('prometheus:a-token-of-some-length')])
    for (const path of ['/', '/status.json', '/metrics'])
      expect((await get(path, { headers })).status, path).toBe(200);
  for (const path of ['/healthz', '/readyz']) expect((await get(path)).status, path).toBe(200);
});

test('who begins a request and never ends it is told so and let go, while others are answered', async () => {
  const { url, get } = await startServer();
  const { port } = new URL(url);
  const slow = connect(Number(port), '127.0.0.1');
  let received = '';
  slow.on('data', (data) => {
    received += data.toString();
  });
  slow.on('error', () => undefined);
  slow.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n');
  const ended = once(slow, 'close');
  expect((await get('/healthz')).status).toBe(200);
  await ended;
  expect(received).toContain('408');
});

test('more connections than it keeps are turned away, and it goes on', async () => {
  const { url, get } = await startServer();
  const { port } = new URL(url);
  let turnedAway = 0;
  const sockets = Array.from({ length: 600 }, () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => {
      turnedAway += 1;
    });
    return socket;
  });
  onCleanup(async () => {
    for (const socket of sockets) socket.destroy();
  });
  await waitFor(() => turnedAway >= 600 - 512, { what: 'connections that are turned away' });
  for (const socket of sockets) socket.destroy();
  await waitFor(
    () =>
      get('/healthz').then(
        ({ status }) => status === 200,
        () => false,
      ),
    { what: 'an answer' },
  );
});
