// Long answers over real sockets: a client that takes nothing is cut, and so is what lasts too long, grows
// too large or fails.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { guardedStream, type StreamLimits } from '../../../src/http/request/guarded-stream.ts';
import { askSlowly, serve } from '../../server/serve.ts';
import { waitFor } from '../../support/wait-for.ts';

const megabyte = 'x'.repeat(1024 * 1024);

/** What a source gave, and whether it was ended. */
function countedSource(part: string, most = Number.POSITIVE_INFINITY, pauseMs = 0) {
  const state = { parts: 0, ended: false, aborted: false };
  async function* source(signal: AbortSignal) {
    try {
      while (state.parts < most) {
        signal.throwIfAborted();
        if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
        state.parts += 1;
        yield part;
      }
    } finally {
      state.ended = true;
      state.aborted = signal.aborted;
    }
  }
  return { state, source };
}

async function serveStream(source: (signal: AbortSignal) => AsyncIterable<string>, limits: StreamLimits) {
  return await serve((app) => {
    app.get('/csv', (c) => c.body(guardedStream(c, source, limits)));
  });
}

async function cutsOf({ metrics }: Awaited<ReturnType<typeof serve>>) {
  const { values } = await metrics.httpCuts.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]));
}

test('an answer arrives whole, and nothing is counted as cut', async () => {
  const { source, state } = countedSource('line\n', 5_000);
  const server = await serveStream(source, { stallMs: 60_000 });
  const answer = await fetch(`${server.url}/csv`);
  expect(await answer.text()).toBe('line\n'.repeat(5_000));
  expect(state.ended).toBe(true);
  expect(await cutsOf(server)).toEqual({});
});

test('who takes nothing is cut after a while: the source is ended, and not read ahead of the client', async () => {
  const { source, state } = countedSource(megabyte);
  const server = await serveStream(source, { stallMs: 300 });
  const slow = await askSlowly(server.port, '/csv');
  await waitFor(() => state.ended, { what: 'the end of the source' });
  expect(state.aborted).toBe(true);
  expect(state.parts).toBeLessThan(64);
  const received = await slow.read();
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
  // The last chunk never comes, and no text of an error does.
  expect(received).not.toMatch(/\r\n0\r\n\r\n$/);
  expect(received).not.toContain('Error');
  expect(await cutsOf(server)).toEqual({ slow: 1 });
  expect(server.entries()).toContainEqual(
    expect.objectContaining({ level: 'info', msg: 'answer cut', route: '/csv', reason: 'slow' }),
  );
});

test('who takes an answer slowly but steadily gets all of it', async () => {
  const { source } = countedSource(megabyte, 24);
  const server = await serveStream(source, { stallMs: 1_500 });
  const answer = await fetch(`${server.url}/csv`);
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.byteLength;
    await delay(2);
  }
  expect(bytes).toBe(24 * megabyte.length);
  expect(await cutsOf(server)).toEqual({});
});

test('an answer that lasts too long is cut, however readily it is taken', async () => {
  const { source, state } = countedSource('line\n', Number.POSITIVE_INFINITY, 5);
  const server = await serveStream(source, { deadlineMs: 250 });
  const answer = await fetch(`${server.url}/csv`);
  await expect(answer.text()).rejects.toThrow();
  expect(state).toMatchObject({ ended: true, aborted: true });
  expect(await cutsOf(server)).toEqual({ deadline: 1 });
});

test('a source that fails is logged, and the client gets neither its words nor an end', async () => {
  let fail = () => {};
  const isRead = new Promise<void>((resolve) => {
    fail = resolve;
  });
  async function* failing() {
    yield 'first\n';
    await isRead;
    throw new Error('words of the fault');
  }
  const server = await serveStream(failing, {});
  const reader = (await fetch(`${server.url}/csv`)).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first\n');
  fail();
  await expect(reader?.read()).rejects.toThrow();
  expect(await cutsOf(server)).toEqual({ failed: 1 });
  expect(server.entries()).toContainEqual(
    expect.objectContaining({ level: 'error', msg: 'answering a request failed', route: '/csv' }),
  );
});

test('a client that goes away ends the source at once', async () => {
  const { source, state } = countedSource('line\n', Number.POSITIVE_INFINITY, 5);
  const server = await serveStream(source, {});
  const asked = await askSlowly(server.port, '/csv');
  await waitFor(() => state.parts > 3, { what: 'a begun answer' });
  asked.socket.destroy();
  await waitFor(() => state.ended, { what: 'the end of the source' });
  expect(state.aborted).toBe(true);
  expect(await cutsOf(server)).toEqual({});
});

test('HEAD begins no source', async () => {
  const { source, state } = countedSource('line\n', 10);
  const server = await serveStream(source, {});
  const answer = await fetch(`${server.url}/csv`, { method: 'HEAD' });
  expect([answer.status, await answer.text(), state.parts]).toEqual([200, '', 0]);
});
