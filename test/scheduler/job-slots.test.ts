import { expect, test } from 'vitest';
import { createMetrics } from '../../src/base/metrics.ts';
import { createJobSlots } from '../../src/scheduler/job-slots.ts';
import { silentLogger } from '../support/loggers.ts';

const longMs = 3_600_000;

/** Work that ends when it is told to. */
function work(name: string, log: string[]) {
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = async () => {
    log.push(`${name} begins`);
    await done;
    log.push(`${name} ends`);
  };
  return { run, end };
}

test('work that waited begins when what runs has ended, and the same job never runs twice at once', async () => {
  const slots = createJobSlots({ logger: silentLogger });
  const log: string[] = [];
  const [first, second, third] = [work('first', log), work('second', log), work('third', log)];
  void slots.run('transactions', first.run);
  void slots.run('transactions', third.run);
  slots.runIn('transactions', 0, second.run);
  second.end();
  slots.startDue();
  expect(log).toEqual(['first begins']);
  first.end();
  await expect.poll(() => log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  await slots.stop();
});

test('a job is busy for others while one of them runs, and not for itself', async () => {
  const slots = createJobSlots({ logger: silentLogger });
  const [sealing, sweeping] = [work('seal', []), work('transactions', [])];
  void slots.run('seal', sealing.run);
  expect(slots.isBusyBeside('seal')).toBe(false);
  const swept = slots.run('transactions', sweeping.run);
  expect(slots.isBusyBeside('seal')).toBe(true);
  sweeping.end();
  await swept;
  expect(slots.isBusyBeside('seal')).toBe(false);
  sealing.end();
  await slots.stop();
});

test('a later wait replaces the earlier, and one that is cancelled begins nothing', async () => {
  const slots = createJobSlots({ logger: silentLogger });
  const log: string[] = [];
  const [replaced, kept, cancelled] = [work('replaced', log), work('kept', log), work('cancelled', log)];
  slots.runIn('transactions', 0, replaced.run);
  slots.runIn('transactions', 0, kept.run);
  slots.runIn('reconcile', 0, cancelled.run);
  slots.runIn('balances', longMs, cancelled.run);
  slots.cancel('reconcile');
  slots.startDue();
  kept.end();
  await expect.poll(() => log).toEqual(['kept begins', 'kept ends']);
  await slots.stop();
  expect(log).toEqual(['kept begins', 'kept ends']);
});

test('a stop ends the waits, awaits what runs, and lets nothing begin', async () => {
  const slots = createJobSlots({ logger: silentLogger });
  const log: string[] = [];
  const [running, waiting, late] = [work('running', log), work('waiting', log), work('late', log)];
  void slots.run('transactions', running.run);
  slots.runIn('transactions', 0, waiting.run);
  slots.runIn('reconcile', longMs, waiting.run);
  const stopping = slots.stop().then(() => log.push('stopped'));
  void slots.run('balances', late.run);
  slots.runIn('balances', 0, late.run);
  slots.startDue();
  running.end();
  await stopping;
  expect(log).toEqual(['running begins', 'running ends', 'stopped']);
});

test('how often in a row work failed is counted until it succeeds, and forgotten with the end of all', async () => {
  const metrics = createMetrics();
  const slots = createJobSlots({ logger: silentLogger, metrics });
  const told = async () =>
    Object.fromEntries(
      (await metrics.consecutiveFailures.get()).values.map(({ labels, value }) => [labels.schedule, value]),
    );
  const fail = async () => Promise.reject(new Error('broken'));
  const succeed = async () => undefined;
  for (const work of [fail, fail, fail]) await slots.run('seal', work);
  await slots.run('balances', succeed);
  expect(await told()).toEqual({ seal: 3, balances: 0 });
  await slots.run('seal', succeed);
  expect(await told()).toEqual({ seal: 0, balances: 0 });
  await slots.run('seal', fail);
  expect(await told()).toEqual({ seal: 1, balances: 0 });
  await slots.stop();
  expect(await told()).toEqual({});
});
