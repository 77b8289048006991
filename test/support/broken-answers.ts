// Something in front of a custody service that breaks some of its answers: by their body, their length, their
// encoding or their connection.
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { listening } from './listening.ts';

/** @param path what was asked for, with its parameters */
export type Breaking = (socket: Socket, body: Buffer, path: string) => void;

const head = (...fields: readonly string[]) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`;
/** Until the end of the connection. */
const closing = (encoding: string, change: (body: Buffer) => Buffer): Breaking => {
  const fields = encoding === '' ? [] : [`Content-Encoding: ${encoding}`];
  return (socket, body) => {
    socket.write(head(...fields, 'Connection: close'));
    socket.end(change(body));
  };
};
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
/** Writes again and again until the connection is given up. */
const endlessly = (socket: Socket, first: string, text: string, everyMs: number) => {
  // A timer of a socket that has closed would never end.
  if (socket.destroyed) return;
  socket.write(first);
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
};

export const breakings: Readonly<Record<string, Breaking>> = {
  'no gzip at all': closing('gzip', (body) => body),
  'half of a gzip': closing('gzip', (body) => half(gzipSync(body))),
  'gzip within gzip, of which there is one': closing('gzip, gzip', (body) => gzipSync(body)),
  'an encoding that nobody knows': closing('rot13', () => Buffer.from('{"genafnpgvbaf":[]}')),
  'half a body': closing('', half),
  'a length that is too long': (socket, body) =>
    void socket.end(head(`Content-Length: ${body.length + 100}`) + body.toString()),
  'a length that is too short': (socket, body) =>
    void socket.end(head(`Content-Length: ${body.length - 100}`) + body.toString()),
  'two lengths': (socket, body) =>
    void socket.end(head('Content-Length: 10', `Content-Length: ${body.length}`) + body.toString()),
  'half a chunk': (socket) => void socket.end(`${head('Transfer-Encoding: chunked')}ff\r\n{"transac`),
  'a chunk whose size is no number': (socket) =>
    void socket.end(`${head('Transfer-Encoding: chunked')}zz\r\n{}`),
  'garbage behind the answer': (socket) =>
    void socket.write(`${head('Content-Length: 1')}{garbage\r\n\r\nHTTP/1.1 200 OK\r\n\r\n`),
  'a slow drip without end': (socket) => endlessly(socket, `${head()}{`, ' ', 20),
  'headers without end': (socket) => endlessly(socket, 'HTTP/1.1 200 OK\r\n', 'X-More: x\r\n', 20),
  'a flood of 1xx': (socket) => endlessly(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n', 5),
  'never any byte': () => undefined,
  'a reset': (socket) => void socket.resetAndDestroy(),
  'a close without an answer': (socket) => void socket.end(),
  'no HTTP': (socket) => void socket.end('220 mail.example ESMTP\r\n'),
  '204 with a body': (socket, body) =>
    void socket.end(`HTTP/1.1 204 No Content\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  // It keeps the parameters: without them it would lead to another page of the list, which is another fault.
  'a redirect to itself whose body hangs': (socket, _body, path) =>
    void socket.write(
      `HTTP/1.1 302 Found\r\nLocation: ${path}${path.includes('?') ? '&' : '?'}again\r\n` +
        'Content-Encoding: gzip\r\nContent-Length: 99\r\n\r\nno',
    ),
};

/** @param breakOf how an answer is broken, by the number of its request from 1; null leaves it whole */
export async function breakAnswers(service: string, breakOf: (request: number) => Breaking | null) {
  let requests = 0;
  let broken = 0;
  const answerTo = async (socket: Socket, request: string) => {
    const [, path = '/'] = /^GET (\S+)/.exec(request) ?? [];
    const [, key = ''] = /^x-api-key: (.*)$/im.exec(request) ?? [];
    requests += 1;
    // What a broken answer leads to is not broken again: too many redirects are no passing fault.
    const breaking = path.endsWith('again') ? null : breakOf(requests);
    if (breaking !== null) broken += 1;
    const answer = await fetch(service + path, { headers: { 'x-api-key': key.trim() }, redirect: 'manual' });
    const body = Buffer.from(await answer.arrayBuffer());
    if (breaking !== null) return breaking(socket, body, path);
    const passed = ['content-type', 'location', 'retry-after', 'date'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [`${name}: ${value}\r\n`];
    });
    socket.write(`HTTP/1.1 ${answer.status} X\r\n${passed.join('')}Content-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
  };
  const server = createServer((socket) => {
    let request = '';
    socket.on('data', (part) => {
      request += part.toString();
      if (!request.includes('\r\n\r\n')) return;
      // As the service is away, so is what stands in front of it.
      answerTo(socket, request).catch(() => socket.destroy());
      request = '';
    });
  });
  const { url, sockets } = await listening(server);
  return { url, broken: () => broken, open: () => sockets.size };
}
