import { expect, test } from 'vitest';
import { createLatestStatus } from '../../src/status/latest.ts';
import type { StatusReport } from '../../src/store/job-queries/status.ts';
import { statusReport } from '../support/status-report.ts';

interface Question {
  answer(report: StatusReport): void;
  fail(error: Error): void;
}

/** A status whose readings end when the test says so, on a clock that the test moves. */
function setUp() {
  const questions: Question[] = [];
  const read: string[] = [];
  const failures: unknown[] = [];
  const clock = { ms: 0 };
  const latest = createLatestStatus<StatusReport>({
    readStatus: () =>
      new Promise((answer, fail) => {
        questions.push({ answer, fail });
      }),
    onRead: (report) => void read.push(report.account),
    onFailure: (error) => void failures.push(error),
    monotonicMs: () => clock.ms,
  });
  const ask = async (maxAgeMs: number) => {
    const asked = latest.read(maxAgeMs);
    asked.catch(() => undefined);
    await Promise.resolve();
    return asked;
  };
  return { latest, questions, read, failures, clock, ask };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a report is given again while it is younger than requested, and then read again', async () => {
  const { questions, clock, ask } = setUp();
  const first = ask(1000);
  await settled();
  clock.ms = 5_000;
  questions[0]?.answer(statusReport({ account: 'one' }));
  await first;
  clock.ms = 5_999;
  expect(await ask(1000)).toMatchObject({ account: 'one' });
  clock.ms = 6_000;
  const second = ask(1000);
  await settled();
  expect(questions).toHaveLength(2);
  questions[1]?.answer(statusReport({ account: 'two' }));
  expect(await second).toMatchObject({ account: 'two' });
  expect(await ask(15_000)).toMatchObject({ account: 'two' });
});

test('a failure is shared as well, and leaves what was known', async () => {
  const { latest, questions, failures, read, clock, ask } = setUp();
  const first = ask(1000);
  await settled();
  questions[0]?.answer(statusReport());
  await first;
  clock.ms = 2_000;
  const failing = [ask(1000), ask(1000)];
  await settled();
  questions[1]?.fail(new Error('away'));
  for (const asked of failing) await expect(asked).rejects.toThrow('away');
  await expect(ask(1000)).rejects.toThrow('away');
  expect(failures).toHaveLength(1);
  expect(read).toEqual(['treasury']);
  expect(latest.known?.report).toEqual(statusReport());
});

test('a reading that hangs is given up after a minute, and what it says then counts no more', async () => {
  const { latest, questions, read, clock, ask } = setUp();
  const hanging = ask(1000);
  await settled();
  clock.ms = 59_999;
  void ask(1000).catch(() => undefined);
  await settled();
  expect(questions).toHaveLength(1);
  clock.ms = 60_000;
  const next = ask(1000);
  await settled();
  questions[1]?.answer(statusReport({ account: 'new' }));
  await next;
  questions[0]?.answer(statusReport({ account: 'old' }));
  await hanging;
  expect(latest.known?.report.account).toBe('new');
  expect(read).toEqual(['new']);
});

test('a report is kept fresh although nobody asks, until it is stopped, and its age counts on', async () => {
  let reads = 0;
  let failing = false;
  const latest = createLatestStatus<StatusReport>({
    readStatus: async () => {
      reads += 1;
      if (failing) throw new Error('away');
      return statusReport();
    },
    onRead: () => undefined,
    onFailure: () => undefined,
  });
  const stop = new AbortController();
  const keeping = latest.keepFresh(5, stop.signal);
  await expect.poll(() => reads).toBeGreaterThan(2);
  failing = true;
  const before = reads;
  await expect.poll(() => reads).toBeGreaterThan(before + 2);
  // What was known ages by the clock, however often a reading fails.
  const first = latest.known?.ageMs ?? 0;
  await expect.poll(() => (latest.known?.ageMs ?? 0) > first).toBe(true);
  expect(latest.known?.report).toEqual(statusReport());
  stop.abort();
  await keeping;
});
