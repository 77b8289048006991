// The health check of the image, run as the engine runs it, against servers of the three kinds there are.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listening } from '../../support/listening.ts';

const hasBash = spawnSync('bash', ['--version']).status === 0;
const reason = hasBash ? '' : ' (skipped: there is no bash)';

/** The words after CMD, as Docker reads them. */
async function healthCheck(): Promise<readonly string[]> {
  const dockerfile = await readFile('Dockerfile', 'utf8');
  const [, words] = /^HEALTHCHECK .*\\\n\s+CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  return z.array(z.string()).parse(JSON.parse(words ?? 'null'));
}

async function check(port: number, ports: Readonly<Record<string, string>> = {}): Promise<number> {
  const [program = '', ...args] = await healthCheck();
  const env = { PATH: process.env['PATH'] ?? '', HTTP_PORT: String(port), ...ports };
  const child = spawn(program, args, { env, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return Number(code);
}

/** @returns the port of a server that gives every request this status */
async function serving(status: number): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.host}`);
    response.writeHead(status).end('{}');
  });
  return { port: (await listening(server)).port, asked };
}

test.skipIf(!hasBash)(`it is passed by a daemon that answers 200${reason}`, async () => {
  const { port, asked } = await serving(200);
  expect(await check(port)).toBe(0);
  expect(asked).toEqual(['GET /healthz 127.0.0.1']);
});

test.skipIf(!hasBash)(
  `it is failed by one that answers 503, and where nothing listens${reason}`,
  async () => {
    const { port } = await serving(503);
    expect(await check(port)).toBe(1);
    expect(await check(1)).toBe(1);
  },
);

test.skipIf(!hasBash)(`it asks the port of the probes, unless there is none${reason}`, async () => {
  const { port } = await serving(200);
  expect(await check(1, { HTTP_PROBES_PORT: String(port) })).toBe(0);
  for (const none of ['off', '']) expect(await check(port, { HTTP_PROBES_PORT: none })).toBe(0);
});
