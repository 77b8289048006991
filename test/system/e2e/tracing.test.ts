// Traces: sent over real HTTP when the standard variables ask for them, whole, and without anything of the
// account.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { serveSandbox, syncProcess, viewerKey } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { listening } from '../../support/listening.ts';

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute),
  status: z.object({ code: z.number().optional() }),
});
const body = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

async function serveCollector() {
  const received: { readonly path: string; readonly text: string; readonly key: unknown }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        text: Buffer.concat(chunks).toString(),
        key: request.headers['x-collector'],
      });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return { received, url: (await listening(server)).url };
}

test('a sync is traced from its runs down to requests and statements, without a value of the account', async () => {
  const [service, database, collector] = await Promise.all([
    serveSandbox(),
    testDatabase(),
    serveCollector(),
  ]);
  service.sandbox.faults.set('err01@whitelist=1');
  const { code, stderr } = await syncProcess(service, database, {
    CUSTODY_RETRIES: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector=let-me-in',
    OTEL_SERVICE_NAME: 'mirror-of-tests',
  });
  expect(code, stderr).toBe(1);
  expect(collector.received.length).toBeGreaterThan(0);
  for (const { path, key } of collector.received)
    expect({ path, key }).toEqual({ path: '/v1/traces', key: 'let-me-in' });

  const bodies = collector.received.map(({ text }) => body.parse(JSON.parse(text)));
  const resource = bodies[0]?.resourceSpans[0]?.resource.attributes ?? [];
  expect(resource).toContainEqual({ key: 'service.name', value: { stringValue: 'mirror-of-tests' } });
  const spans = bodies.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const named = (name: string) => spans.filter((each) => each.name === name);
  const [sweep] = named('transactions full');
  const [failed] = named('whitelist full');
  expect(sweep).toMatchObject({ status: { code: 0 } });
  expect(failed).toMatchObject({ status: { code: 2 } });
  expect(failed?.attributes).toContainEqual({ key: 'error.type', value: { stringValue: 'ERR-01' } });
  // Each request and each commit of the sweep hangs from its run.
  const beneath = (name: string) => named(name).filter(({ traceId }) => traceId === sweep?.traceId);
  // An attempt that ends before it is sent, as reading ahead does at the end of a list, is a span as well.
  expect(beneath('GET transactions').length).toBeGreaterThanOrEqual(
    service.sandbox.requests.byEndpoint.transactions ?? 0,
  );
  expect(beneath('GET transactions')[0]?.parentSpanId).toBe(sweep?.spanId);
  expect(beneath('commit').length).toBeGreaterThan(0);

  const told = collector.received.map(({ text }) => text).join('\n');
  const [transaction] = [...service.sandbox.world.transactions()];
  for (const secret of [
    viewerKey,
    transaction?.transactionId ?? '',
    transaction?.amount ?? '',
    new URL(database.url).password,
  ])
    if (secret !== '') expect(told).not.toContain(secret);
});

test('a collector that is away costs nothing but a line in the log', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const result = await syncProcess(service, database, {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/v1/traces',
    LOG_FORMAT: 'json',
  });
  expect(result, result.stderr).toMatchObject({ code: 0 });
});

test('nothing is sent when nothing asks for it, or when it is switched off', async () => {
  const [service, collector] = await Promise.all([serveSandbox(), serveCollector()]);
  for (const off of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }]) {
    const result = await syncProcess(service, await testDatabase(), {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ...off,
    });
    expect(result, result.stderr).toMatchObject({ code: 0 });
  }
  expect(collector.received).toEqual([]);
});
