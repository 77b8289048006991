// The file of the access trail: it takes lines, and where it cannot, no reader waits and nothing grows.
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/base/metrics.ts';
import { createReleasers } from '../../../src/base/waiting.ts';
import { openTrail } from '../../../src/cli/setup/http.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { newFolder } from '../../support/folder.ts';
import { capturingLogger, silentLogger } from '../../support/loggers.ts';
import { startServer } from '../../support/running-server.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A server whose answers are on the trail at the path. */
async function serveWith(target: string) {
  const { logger, entries } = capturingLogger();
  const metrics = createMetrics();
  const releasers = createReleasers(silentLogger);
  const trail = openTrail(target, { logger, metrics, releasers });
  const { get } = await startServer({ metrics, logger, ...(trail === null ? {} : { trail }) });
  const dropped = async () => (await metrics.accessLinesDropped.get()).values[0]?.value ?? 0;
  return { get, trail, entries, dropped, release: () => releasers.releaseAll(1_000) };
}

const record = {
  time: '2026-06-30T09:30:00.000Z',
  reader: 'token',
  key_name: null,
  account: 'acme',
  route: '/balances',
  status: 200,
  whole: true,
  bytes: 1,
  address: '127.0.0.1',
  ms: 1,
};

test('a file gets one line of JSON for each answer, is for its owner alone, and is appended to', async () => {
  const path = join(newFolder(), 'access.jsonl');
  for (const expected of [1, 2]) {
    const { get, release } = await serveWith(path);
    expect((await get('/status.json')).status).toBe(200);
    const lines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1);
    await waitFor(async () => lines().length === expected, { what: 'the line' });
    expect(JSON.parse(lines().at(-1) ?? '')).toMatchObject({
      reader: 'open',
      route: '/status.json',
      status: 200,
    });
    await release();
  }
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('on a full disk readers are answered; lines beyond the buffer are dropped, counted and reported', async () => {
  const { get, trail, entries, dropped } = await serveWith('/dev/full');
  for (let more = 0; more < 10_000; more += 1) trail?.(record);
  expect((await get('/status.json')).status).toBe(200);
  expect(await dropped()).toBeGreaterThan(0);
  expect(entries().filter(({ msg }) => msg === 'the access trail cannot be written')).toHaveLength(1);
});

test('a pipe that nobody reads holds up neither the start nor a reader, and its reader gets what it can', async () => {
  const path = join(newFolder(), 'pipe');
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  const { get, trail, entries, dropped } = await serveWith(path);
  for (let more = 0; more < 20_000; more += 1) trail?.(record);
  expect((await get('/status.json')).status).toBe(200);
  const lost = await dropped();
  expect(lost).toBeGreaterThan(0);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  onCleanup(async () => closeSync(reader));
  const buffer = Buffer.alloc(65_536);
  let text = '';
  const readOn = () => {
    try {
      text += buffer.toString('latin1', 0, readSync(reader, buffer));
    } catch {
      // Nothing is there yet.
    }
    return text.split('\n').length - 1;
  };
  await waitFor(async () => readOn() >= 20_000 - lost, { what: 'the lines that were kept' });
  for (const line of text.split('\n').slice(0, -1)) expect(JSON.parse(line)).toHaveProperty('route');
  await waitFor(async () => entries().some(({ msg }) => msg === 'lines of the access trail were dropped'), {
    what: 'the report',
  });
});

test('what cannot be opened is refused by name; off and log need no file', () => {
  const scope = { logger: silentLogger, metrics: createMetrics(), releasers: createReleasers(silentLogger) };
  expect(() => openTrail(join(newFolder(), 'none', 'x'), scope)).toThrow(/^HTTP_ACCESS_LOG: .*ENOENT/);
  expect(openTrail('off', scope)).toBe(null);
  const { logger, entries } = capturingLogger();
  openTrail('log', { ...scope, logger })?.(record);
  expect(entries()).toMatchObject([{ msg: 'reader answered', route: '/balances', address: '127.0.0.1' }]);
});
