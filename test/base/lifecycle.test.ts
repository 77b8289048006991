import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signalsHeard } from '../../src/base/lifecycle.ts';
import { createReleasers, unlessStopped } from '../../src/base/waiting.ts';
import { capturingLogger, silentLogger } from '../support/loggers.ts';

test('what was acquired last is released first, one after the other, once', async () => {
  const releasers = createReleasers(silentLogger);
  const told: string[] = [];
  for (const name of ['pool', 'server', 'scheduler'])
    releasers.add(name, async () => {
      told.push(`${name} begins`);
      await new Promise(setImmediate);
      told.push(`${name} ends`);
    });
  await releasers.releaseAll(10_000);
  await releasers.releaseAll(10_000);
  expect(told).toEqual([
    'scheduler begins',
    'scheduler ends',
    'server begins',
    'server ends',
    'pool begins',
    'pool ends',
  ]);
});

test('a failure stops no other release, and the first one is reported', async () => {
  const { logger, entries } = capturingLogger();
  const releasers = createReleasers(logger);
  const told: string[] = [];
  releasers.add('first', () => void told.push('first'));
  releasers.add('second', () => Promise.reject(new Error('second failed')));
  releasers.add('third', () => {
    throw new Error('third failed');
  });
  await expect(releasers.releaseAll(10_000)).rejects.toThrow('third failed');
  expect(told).toEqual(['first']);
  expect(entries().map((entry) => entry['released'])).toEqual(['third', 'second']);
});

test('a release that does not end holds up the others no longer than the deadline', async () => {
  const { logger, entries } = capturingLogger();
  const releasers = createReleasers(logger);
  const told: string[] = [];
  releasers.add('quick', () => void told.push('quick'));
  releasers.add('stuck', () => new Promise(() => undefined));
  await releasers.releaseAll(20);
  expect(told).toEqual(['quick']);
  expect(entries()).toMatchObject([{ released: 'stuck', msg: 'release outlasted the deadline' }]);
});

test('the server for assistants hears the same signals', () => {
  const main = readFileSync(new URL('../../packages/mcp/src/main.ts', import.meta.url), 'utf8');
  const lists = [...main.matchAll(/^const (stop|ignore) = \[(.*)\];$/gm)].map(([, deed = '', names = '']) => [
    deed,
    names.match(/SIG\w+/g),
  ]);
  expect(Object.fromEntries(lists)).toEqual(signalsHeard);
});

test('a stop before or during the work ends it; a stop after it changes nothing', async () => {
  const before = new AbortController();
  const reason = new Error('enough');
  before.abort(reason);
  let begun = 0;
  const never = () => {
    begun += 1;
    return new Promise<never>(() => undefined);
  };
  await expect(unlessStopped(before.signal, never)).rejects.toBe(reason);
  expect(begun).toBe(0);

  const during = new AbortController();
  const waiting = unlessStopped(during.signal, never);
  during.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(begun).toBe(1);

  const after = new AbortController();
  expect(await unlessStopped(after.signal, async () => 'done')).toBe('done');
  after.abort(reason);
  await expect(unlessStopped(new AbortController().signal, () => Promise.reject(reason))).rejects.toBe(
    reason,
  );
});

test('many may wait for one signal, without a warning of Node.js', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  const stop = new AbortController();
  const waits = Array.from({ length: 20 }, () =>
    unlessStopped(stop.signal, () => new Promise(() => undefined)),
  );
  const outcomes = Promise.allSettled(waits);
  // A warning is told in the next turn of the loop.
  await new Promise((turned) => setImmediate(turned));
  stop.abort();
  await outcomes;
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('work that has time to end after a stop may use it, and no more', async () => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const ending = () =>
    new Promise((resolve) => stop.signal.addEventListener('abort', () => setImmediate(resolve, 'ended')));
  const orderly = unlessStopped(stop.signal, ending, 60_000);
  const deaf = unlessStopped(stop.signal, () => new Promise(() => undefined), 20);
  stop.abort(reason);
  expect(await Promise.allSettled([orderly, deaf])).toEqual([
    { status: 'fulfilled', value: 'ended' },
    { status: 'rejected', reason },
  ]);
  expect(await unlessStopped(stop.signal, async () => 'begun after it', 60_000)).toBe('begun after it');
});
