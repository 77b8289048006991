import { expect, test } from 'vitest';
import { startScheduler } from '../../src/scheduler/scheduler.ts';
import { silentLogger } from '../support/loggers.ts';
import { forEachSchedule } from './schedules.ts';

const off = forEachSchedule((): string | null => null);
const noJobs = forEachSchedule(() => async () => undefined);
const never = forEachSchedule(() => null);

test('a job whose time has passed runs at the start; one whose time has not, or that is off, does not', async () => {
  const began: string[] = [];
  const jobs = forEachSchedule((job) => async () => void began.push(job));
  const scheduler = startScheduler({
    schedule: {
      expressions: { ...off, transactions: '0 3 * * *', reconcile: '0 4 * * *', maintenance: '0 5 * * *' },
      timezone: 'UTC',
    },
    jobs,
    lastRuns: {
      ...never,
      reconcile: new Date('2026-05-01T04:00:00Z'),
      maintenance: new Date('2026-05-01T05:00:00Z'),
    },
    now: () => new Date('2026-05-02T04:30:00Z'),
    logger: silentLogger,
  });
  await scheduler.stop();
  expect(began.sort()).toEqual(['reconcile', 'transactions']);
});

test('what is due at the start and each tick wait for the share of their account, and a stop ends the wait', async () => {
  const waits: number[] = [];
  let runs = 0;
  let letGo: (() => void) | undefined;
  const scheduler = startScheduler({
    schedule: { expressions: { ...off, balances: '* * * * * *', reconcile: '17 3 * * *' }, timezone: 'UTC' },
    jobs: {
      ...noJobs,
      balances: async () => {
        runs += 1;
      },
    },
    lastRuns: { ...never, balances: new Date() },
    logger: silentLogger,
    share: 0.5,
    sleep: (ms, signal) => {
      waits.push(ms);
      return new Promise((resolve, reject) => {
        letGo = resolve;
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  // The sweep that never ran.
  expect(waits).toEqual([5_000]);
  await expect.poll(() => waits.length).toBe(2);
  expect([waits[1], runs]).toEqual([500, 0]);
  letGo?.();
  await expect.poll(() => runs).toBe(1);
  await expect.poll(() => waits.length).toBe(3);
  await scheduler.stop();
  expect(runs).toBe(1);
});
