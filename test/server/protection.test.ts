// Who is answered at all, and how requests are refused that are too many, too slow or no HTTP.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { onCleanup } from '../support/cleanup.ts';
import { startServer } from '../support/running-server.ts';
import { waitFor } from '../support/wait-for.ts';

test('only GET and HEAD are answered', async () => {
  const { get } = await startServer();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await get('/healthz', { method });
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
  }
  for (const path of ['/assets/style.css', '/healthz', '/readyz', '/metrics', '/status.json']) {
    const answer = await get(path, { method: 'HEAD' });
    expect([path, answer.status, await answer.text()]).toEqual([path, 200, '']);
  }
});

test('every answer leaves a browser nothing to load from elsewhere, to embed or to keep', async () => {
  const { get } = await startServer();
  for (const path of ['/healthz', '/metrics', '/status.json', '/nothing', '/api/v1/accounts']) {
    const { headers } = await get(path);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

/** Sends the text as it is. @returns all that comes until the server hangs up */
async function answerTo(port: string, text: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
  });
  socket.write(text);
  await once(socket, 'close');
  return received;
}

test('what is no HTTP, or too much of it, is refused and the server goes on', async () => {
  const { url, get } = await startServer();
  const { port } = new URL(url);
  const said = (text: string) => answerTo(port, text);
  const headers = `x: ${'y'.repeat(20_000)}`;
  expect(await said('hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  const tooLong = await said(`GET / HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`);
  expect(tooLong).toMatch(/^HTTP\/1.1 431 /);
  expect(await said('GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n')).toContain('400');
  expect(await said('TRACE / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toContain('405');
  expect((await get('/healthz')).status).toBe(200);
});

/** The status that a server on this machine gives the names of a host, or to header fields. */
async function statusOf(url: string, path: string, headers: Record<string, string>, method = 'GET') {
  // fetch keeps some header fields for itself.
  const { port } = new URL(url);
  const sent = request({ host: '127.0.0.1', port, path, method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test('a server for this machine answers to the names of this machine only', async () => {
  for (const listened of ['127.0.0.1', 'LocalHost']) {
    const { url } = await startServer({ host: listened });
    const { port } = new URL(url);
    for (const host of [`127.0.0.1:${port}`, 'localhost', `LOCALHOST:${port}`, '[::1]:1', '127.1.2.3'])
      expect(await statusOf(url, '/metrics', { host }), host).toBe(200);
    const others = ['attacker.example', `attacker.example:${port}`, '127.0.0.1.attacker.example'];
    for (const host of [...others, 'localhost.attacker.example'])
      for (const path of ['/metrics', '/', '/status.json', '/healthz'])
        expect(await statusOf(url, path, { host }), host).toBe(421);
  }
});

test('a server for a network answers to plain addresses and to the names that are allowed, and to no other', async () => {
  const { url } = await startServer({ host: '0.0.0.0', allowedHosts: ['mirror', 'custody.example'] });
  for (const host of ['localhost:1', '10.1.2.3:8787', '[fd00::1]', 'mirror:8787', 'Custody.Example'])
    expect(await statusOf(url, '/healthz', { host }), host).toBe(200);
  for (const host of ['attacker.example', 'mirror.attacker.example', '10.1.2.3.attacker.example', 'x'])
    for (const path of ['/metrics', '/', '/status.json', '/healthz', '/readyz'])
      expect(await statusOf(url, path, { host }), host).toBe(421);
});

test('a client that begins a request and never ends it gets an answer and is let go, while others are answered', async () => {
  const { url, get } = await startServer({ headersMs: 1_000 });
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
  expect(received).toMatch(/^HTTP\/1.1 408 /);
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

test('a target with a host of its own is held to the names as the Host header is', async () => {
  const { url } = await startServer();
  const { port } = new URL(url);
  const statusAt = async (target: string) =>
    (await answerTo(port, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)).slice(
      0,
      12,
    );
  for (const target of ['/healthz', `http://127.0.0.1:${port}/healthz`, 'http://localhost/healthz'])
    expect(await statusAt(target), target).toBe('HTTP/1.1 200');
  for (const target of ['http://attacker.example/healthz', 'http://localhost@attacker.example/metrics'])
    expect(await statusAt(target), target).toBe('HTTP/1.1 421');
});

test('another site may lead a person here, and ask for nothing else', async () => {
  const { url } = await startServer();
  const statusFor = (path: string, headers: Record<string, string>, method?: string) =>
    statusOf(url, path, headers, method);
  const from = (site: string, mode: string, dest: string) => ({
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': dest,
  });
  const refused = [
    from('cross-site', 'no-cors', 'image'),
    from('cross-site', 'cors', 'empty'),
    from('cross-site', 'navigate', 'iframe'),
    { 'sec-fetch-site': 'cross-site' },
  ];
  for (const path of ['/status.json', '/metrics', '/assets/style.css'])
    for (const headers of refused) expect(await statusFor(path, headers), path).toBe(403);
  expect(await statusFor('/status.json', from('cross-site', 'navigate', 'document'), 'HEAD')).toBe(403);
  for (const headers of [
    from('cross-site', 'navigate', 'document'),
    from('same-origin', 'cors', 'empty'),
    from('none', 'navigate', 'document'),
    {},
  ])
    expect(await statusFor('/status.json', headers)).toBe(200);
});
