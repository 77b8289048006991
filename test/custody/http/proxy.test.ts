// Requests through a proxy: tunnels to a service that speaks TLS or does not, and faults that name the
// proxy where it is at fault.
import { expect, test } from 'vitest';
import { type HttpProxy, readProxy } from '../../../src/base/config/proxy.ts';
import { clientOf, errorOf, json, newCall, serve, testKey } from '../../support/custody-service.ts';
import { startProxy } from '../../support/proxy.ts';
import { transactionRecord } from '../../support/wire-records.ts';

const list = { transactions: [transactionRecord('t-1')] };
const credentials = 'treasury:pass-7f3d1e5b';

function at(port: number, user = ''): HttpProxy {
  const proxy = readProxy(`http://${user}127.0.0.1:${port}`);
  if (proxy === undefined) throw new Error('no proxy');
  return proxy;
}

test('one tunnel serves request after request, and the proxy is not sent the key', async () => {
  const [service, proxy] = await Promise.all([
    serve((_, response) => json(response, list)),
    startProxy({ credentials }),
  ]);
  const { client, logLines } = clientOf(service, { proxy: at(proxy.port, `${credentials}@`) });
  for (let count = 0; count < 3; count += 1) await client.transactions({}, newCall());
  expect(proxy.asked).toEqual([service.url.host]);
  expect(JSON.stringify(proxy.headers)).not.toContain(testKey);
  expect(service.headers[0]?.['proxy-authorization']).toBeUndefined();
  expect(logLines.join('')).not.toMatch(/pass-7f3d1e5b|Basic/);
  await client.close();
  await expect.poll(() => proxy.open()).toBe(0);
});

test.each([
  { status: '407 Proxy Authentication Required', kind: 'permanent', attempts: 1 },
  { status: '403 Forbidden', kind: 'permanent', attempts: 1 },
  { status: '429 Too Many Requests', kind: 'transient', attempts: 3 },
  { status: '502 Bad Gateway', kind: 'transient', attempts: 3 },
])('a proxy that refuses with $status is named', async ({ status, kind, attempts }) => {
  const service = await serve((_, response) => json(response, list));
  const proxy = await startProxy({ refuse: () => status });
  const { client } = clientOf(service, { retries: 2, proxy: at(proxy.port, `${credentials}@`) });
  const { message, fault } = await errorOf(client.transactions({}, newCall()));
  expect(fault).toMatchObject({ code: 'PROXY', kind });
  expect(message).toContain(`the proxy 127.0.0.1:${proxy.port} refused a tunnel to ${service.url.host}`);
  expect(message).toContain(`HTTP ${status.slice(0, 3)}`);
  expect(message).not.toContain('pass-7f3d1e5b');
  expect(proxy.asked).toHaveLength(attempts);
  expect(service.requests).toEqual([]);
  await expect.poll(() => proxy.open()).toBe(0);
});

test('a rejected password is sent again only at growing intervals', async () => {
  const service = await serve((request, response) =>
    json(response, request.url?.startsWith('/transactions') ? list : { whitelist: [] }),
  );
  let isRejected = true;
  const refuse = () => (isRejected ? '407 Proxy Authentication Required' : undefined);
  const proxy = await startProxy({ refuse });
  let nowMs = 0;
  const options = { keyProbeMs: 1_000, keyProbeMaxMs: 1_500, monotonicMs: () => nowMs };
  const { client } = clientOf(service, { proxy: at(proxy.port, `${credentials}@`) }, options);
  const failAt = async (ms: number) => {
    nowMs = ms;
    // A different endpoint sends the same password.
    const errors = await Promise.all([
      errorOf(client.transactions({}, newCall())),
      errorOf(client.whitelist({}, newCall())),
    ]);
    for (const { fault, message } of errors) {
      expect(fault).toMatchObject({ code: 'PROXY', kind: 'permanent' });
      expect(message).toContain('HTTP 407');
    }
    return proxy.asked.length;
  };
  const first = await failAt(0);
  expect(await failAt(999)).toBe(first);
  expect(await failAt(1_000)).toBe(first + 1);
  expect(await failAt(1_999)).toBe(first + 1);
  expect(await failAt(2_000)).toBe(first + 2);
  // It waits for 1,500 ms from now on.
  expect(await failAt(3_499)).toBe(first + 2);
  expect(await failAt(3_500)).toBe(first + 3);
  isRejected = false;
  nowMs = 5_000;
  expect((await client.transactions({}, newCall())).items).toHaveLength(1);
  expect((await client.whitelist({}, newCall())).items).toEqual([]);
});

test('a proxy that is away, silent or no proxy at all is named', async () => {
  const service = await serve((_, response) => json(response, list));
  const away = clientOf(service, { retries: 0, proxy: at(1) });
  const refused = await errorOf(away.client.transactions({}, newCall()));
  expect(refused.fault).toMatchObject({ code: 'PROXY', kind: 'transient' });
  expect(refused.message).toMatch(/the proxy 127\.0\.0\.1:1 failed: .*ECONNREFUSED/);

  const silent = await startProxy({ isSilent: true });
  const waiting = clientOf(service, { retries: 0, timeoutMs: 300, proxy: at(silent.port) });
  const late = await errorOf(waiting.client.transactions({}, newCall()));
  expect(late.fault).toMatchObject({ code: 'PROXY', kind: 'transient' });
  expect(late.message).toContain(`the proxy 127.0.0.1:${silent.port} opened no tunnel within 300 ms`);
  await expect.poll(() => silent.open()).toBe(0);

  const mistaken = clientOf(service, { retries: 0, proxy: at(Number(service.url.port)) });
  expect((await errorOf(mistaken.client.transactions({}, newCall()))).fault.code).toBe('PROXY');
});

test('a tunnel that is cut, and a service that is silent behind it, are faults of the way, which is named', async () => {
  const service = await serve((_, response, number) => {
    if (number === 1) json(response, { ...list, filler: 'x'.repeat(100_000) });
    if (number === 3) json(response, list);
  });
  const proxy = await startProxy({ cutAfter: (tunnel) => (tunnel === 1 ? 50_000 : undefined) });
  const { client } = clientOf(service, { retries: 0, timeoutMs: 1_000, proxy: at(proxy.port) });
  const cut = await errorOf(client.transactions({}, newCall()));
  expect(cut.fault).toMatchObject({ code: 'NETWORK', kind: 'transient' });
  expect(cut.message).toContain(`(through the proxy 127.0.0.1:${proxy.port})`);
  const late = await errorOf(client.transactions({}, newCall()));
  expect(late.message).toBe(
    `transactions: TIMEOUT: no complete answer within 1000 ms (through the proxy 127.0.0.1:${proxy.port})`,
  );
  expect((await client.transactions({}, newCall())).items).toHaveLength(1);
  expect(proxy.asked).toHaveLength(3);
});
