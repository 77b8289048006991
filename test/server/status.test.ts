import { expect, test } from 'vitest';
import type { StatusReport } from '../../src/store/job-queries/status.ts';
import { capturingLogger } from '../support/loggers.ts';
import { startServer } from '../support/running-server.ts';
import { problem, readAt, statusReport } from '../support/status-report.ts';
import { waitFor } from '../support/wait-for.ts';
import { never, unreachable } from './silent-database.ts';

test('metrics are scraped with what the database holds, and without it when it hangs', async () => {
  const report = statusReport({
    anomalies: [{ kind: 'unknown-value', open: 4, lastObservedAt: readAt }],
    quarantine: [{ resource: 'balances', open: 2, lastObservedAt: readAt }],
  });
  const { get } = await startServer({ readStatus: async () => report });
  const answer = await get('/metrics');
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const text = await answer.text();
  expect(text).toContain('custody_mirror_anomalies_open{kind="unknown-value",account="treasury"} 4');
  expect(text).toContain('custody_mirror_quarantine_open_records{resource="balances",account="treasury"} 2');

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
  expect(known).toContain('custody_mirror_healthy{account="treasury"} 0');
  expect(known.match(series)).toHaveLength(6);

  const failed = await scrape(16_000, unreachable);
  expect(failed).toContain('custody_mirror_healthy{account="treasury"} Nan');
  expect(failed.match(series)).toBeNull();
  expect(failed).toMatch(
    /^custody_mirror_last_success_timestamp_seconds\{mirror_job="balances",account="treasury"\} 1\d+/m,
  );

  expect(await scrape(16_000, async () => report)).toContain('custody_mirror_healthy{account="treasury"} 0');
  // A reading that is only slow is told by the scrape after it.
  expect(await scrape(60_000, never)).toContain('custody_mirror_healthy{account="treasury"} 0');
  const hanging = await scrape(61_000, never);
  expect(hanging).toContain('custody_mirror_healthy{account="treasury"} Nan');
  expect(hanging.match(series)).toBeNull();
});

test('status.json is the report as it was read, with the verdict', async () => {
  const { get } = await startServer();
  const answer = await get('/status.json');
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toEqual({ healthy: true, reasons: [], ...statusReport() });
});

test('a status that cannot be read is reported in our words, and with the code alone for errors of others', async () => {
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
  expect(entries().filter(({ level }) => level !== 'debug')).toMatchObject([
    { level: 'warn', msg: 'reading the status failed' },
  ]);
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
    ['/status.json', '/metrics', '/status.json', '/metrics', '/status.json'].map((path) => get(path)),
  );
  await waitFor(() => reads > 0);
  answer(statusReport());
  expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(reads).toBe(1);
});
