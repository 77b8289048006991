// Long bodies at the same time: the one that turned long first is read and decoded, and the service keeps the
// rest of the others.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { clientOf, errorOf, newCall, serve } from '../../support/custody-service.ts';
import { transactionRecord } from '../../support/wire-records.ts';

/** A list of the endpoint that is asked. */
const listOf = (bytes: number, url = '/transactions') => {
  const [name, makeRecord] = url.startsWith('/whitelist')
    ? (['whitelist', (index: number) => ({ whitelist_id: `w-${index}` })] as const)
    : url.startsWith('/vaults')
      ? (['vaults', (index: number) => ({ vault_id: `v-${index}` })] as const)
      : (['transactions', (index: number) => transactionRecord(`t-${index}`)] as const);
  const records = Array.from({ length: bytes / 500_000 }, (_, index) => ({
    ...makeRecord(index),
    x: 'x'.repeat(500_000),
  }));
  return JSON.stringify({ [name]: records });
};
/** Far more than sockets hold. */
const long = listOf(40_000_000);
const longWhitelist = listOf(40_000_000, '/whitelist');
const middle = 10_000_000;

/** Answers the first request up to the middle and all others whole. */
async function twoLongAnswers() {
  const responses: ServerResponse[] = [];
  let isSecondSent = false;
  const service = await serve((_, response) => {
    responses.push(response);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (responses.length === 1) response.write(long.slice(0, middle));
    else response.end(longWhitelist, () => (isSecondSent = true));
  });
  const { client } = clientOf(service, { retries: 0, timeoutMs: 60_000 });
  const first = client.transactions({}, newCall());
  first.catch(() => undefined);
  await expect.poll(() => responses[0]?.writableLength, { timeout: 20_000 }).toBe(0);
  const stopping = new AbortController();
  const second = client.whitelist({}, newCall({ signal: stopping.signal }));
  second.catch(() => undefined);
  await expect.poll(() => responses.length, { timeout: 20_000 }).toBe(2);
  // Until it has all been taken, or nothing more of it is.
  let taken = -1;
  let stalls = 0;
  while (stalls < 20 && !isSecondSent) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = responses[1]?.socket?.bytesWritten ?? 0;
    stalls = now === taken ? stalls + 1 : 0;
    taken = now;
  }
  expect(isSecondSent).toBe(false);
  return { first, second, stopping, responses };
}

test('one long body is read while another waits with its service, and then that one', async () => {
  const { first, second, responses } = await twoLongAnswers();
  responses[0]?.end(long.slice(middle));
  expect((await first).items).toHaveLength(80);
  expect((await second).items).toHaveLength(80);
}, 120_000);

test('a service that hangs up while it waits fails its own request alone', async () => {
  const { first, second, responses } = await twoLongAnswers();
  responses[1]?.socket?.resetAndDestroy();
  responses[0]?.end(long.slice(middle));
  expect((await first).items).toHaveLength(80);
  expect((await errorOf(second)).fault.code).toBe('NETWORK');
}, 120_000);

test('a service that cuts whatever waits is read all the same: each is cut once while it waits', async () => {
  const body = listOf(16_000_000);
  const open = new Set<ServerResponse>();
  let asked = 0;
  const service = await serve(({ url }, response) => {
    asked += 1;
    open.add(response);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.on('finish', () => {
      open.delete(response);
      for (const waiting of open) waiting.socket?.resetAndDestroy();
    });
    response.on('close', () => open.delete(response));
    // Not before all have come.
    if (asked === 1) response.write(body.slice(0, middle));
    else response.end(listOf(16_000_000, url));
    if (asked === 4) [...open][0]?.end(body.slice(middle));
  });
  // It may also cut a body that nobody knows to be long yet. Without seats each is cut by all before it.
  const { client } = clientOf(service, { retries: 2, retryMinMs: 1, timeoutMs: 60_000 });
  const first = client.transactions({}, newCall());
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(1);
  const others = [
    client.whitelist({}, newCall()),
    client.vaults('warm', {}, newCall()),
    client.vault('v-1', newCall()),
  ];
  for (const each of [first, ...others]) expect((await each).items).toHaveLength(32);
  expect(asked).toBeLessThanOrEqual(10);
}, 120_000);

test('a request that is stopped while it waits ends at once, and holds nobody up', async () => {
  const { first, second, stopping, responses } = await twoLongAnswers();
  stopping.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  responses[0]?.destroy();
  expect((await errorOf(first)).fault.code).toBe('NETWORK');
}, 120_000);
