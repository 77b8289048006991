import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Sleep } from '../../../src/base/loop.ts';
import { type Reply, TokenBucket } from '../../../src/custody/rate/adaptive-rate.ts';
import { Limiter, type Priority } from '../../../src/custody/rate/limiter.ts';
import { clientOf, failure, json, newCall, serve } from '../../support/custody-service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { transactionRecord } from '../../support/wire-records.ts';

const accepted: Reply = { outcome: 'accepted', waitMs: null };

/** A limiter in a time of its own, which passes only by `pass`. */
function limiterInTime({ rate = null, concurrency = 1 }: { rate?: number | null; concurrency?: number }) {
  let now = 0;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  const sleep: Sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      const sleeper = { until: now + ms, wake: resolve };
      sleepers.add(sleeper);
      signal.addEventListener('abort', () => {
        sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  const limiter = new Limiter({
    maxConcurrency: concurrency,
    controller: new TokenBucket({ rate, minBackoffMs: 500, maxBackoffMs: 30_000 }),
    monotonicMs: () => now,
    sleep,
    onChange: () => undefined,
  });
  return {
    limiter,
    sleepers,
    async pass(ms: number) {
      now += ms;
      for (const sleeper of [...sleepers]) {
        if (sleeper.until <= now) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
      }
      await settled();
    },
  };
}

/** Waits until everything that does not wait for time has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    await nextTurn();
  }
}

/** Runs a job that notes its start and ends when told. */
function job(
  limiter: Limiter,
  name: string,
  started: string[],
  priority: Priority = 'normal',
  signal?: AbortSignal,
) {
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = limiter.run(newCall({ priority, ...(signal && { signal }) }), async (replied) => {
    started.push(name);
    await held;
    replied(accepted);
    return name;
  });
  return { done, end };
}

test.each([0, 40])(
  'a permit granted before the service asked to wait is not used (%i aborted before it)',
  async (piled) => {
    const { limiter, pass } = limiterInTime({ concurrency: 2 });
    const quick = job(limiter, 'quick', []);
    let refuse = (): void => undefined;
    const refused = limiter.run(newCall(), async (replied) => {
      await new Promise<void>((resolve) => {
        refuse = resolve;
      });
      replied({ outcome: 'refused', waitMs: 60_000 });
    });
    await settled();
    const leaving = new AbortController();
    const aborted = Array.from({ length: piled }, () =>
      limiter.run(newCall({ priority: 'urgent', signal: leaving.signal }), async () => undefined),
    );
    const started: string[] = [];
    const live = job(limiter, 'live', started);
    leaving.abort(new Error('no longer wanted'));
    await Promise.allSettled(aborted);
    quick.end();
    refuse();
    await Promise.all([quick.done, refused]);
    await settled();
    expect(started).toEqual([]);
    await pass(59_000);
    expect(started).toEqual([]);
    await pass(1_000);
    await expect.poll(() => started).toEqual(['live']);
    live.end();
    await live.done;
  },
);

test('what is urgent goes first, what is in the background last, and no more at a time than allowed', async () => {
  const { limiter } = limiterInTime({ concurrency: 2 });
  const started: string[] = [];
  const jobs = (
    [
      ['a', 'normal'],
      ['b', 'normal'],
      ['c', 'background'],
      ['d', 'normal'],
      ['e', 'urgent'],
    ] as const
  ).map(([name, priority]) => job(limiter, name, started, priority));
  await settled();
  expect(started).toEqual(['a', 'b']);
  for (const { end } of jobs) end();
  expect(await Promise.all(jobs.map(({ done }) => done))).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(started).toEqual(['a', 'b', 'e', 'd', 'c']);
  expect(limiter.waiting).toBe(0);
});

test('the wait that an answer asks for counts before it lets more requests out together', async () => {
  const { limiter } = limiterInTime({ concurrency: 1 });
  const started: string[] = [];
  const first = limiter.run(newCall(), async (replied) => {
    replied({ outcome: 'accepted', waitMs: 60_000 });
    limiter.allow(4);
  });
  for (const name of ['b', 'c']) job(limiter, name, started);
  await first;
  await settled();
  expect(started).toEqual([]);
});

test('permits are granted at the pace of the rate, to the most urgent of the waiting calls', async () => {
  const { limiter, pass } = limiterInTime({ rate: 1, concurrency: 4 });
  const started: string[] = [];
  const jobs = ['a', 'b', 'c'].map((name) => job(limiter, name, started, 'background'));
  await settled();
  jobs.push(job(limiter, 'd', started, 'urgent'));
  await settled();
  expect(started).toEqual(['a']);
  await pass(1000);
  expect(started).toEqual(['a', 'd']);
  await pass(500);
  expect(started).toEqual(['a', 'd']);
  await pass(500);
  await pass(1000);
  expect(started).toEqual(['a', 'd', 'b', 'c']);
  for (const { end } of jobs) end();
  await Promise.all(jobs.map(({ done }) => done));
});

test('an aborted call leaves at once, wherever it waits, and uses no permit', async () => {
  const { limiter, pass, sleepers } = limiterInTime({ rate: 1, concurrency: 2 });
  const started: string[] = [];
  const [inPace, inQueue] = [new AbortController(), new AbortController()];
  const first = job(limiter, 'first', started);
  await settled();
  const paced = job(limiter, 'paced', started, 'normal', inPace.signal);
  await settled();
  const queued = job(limiter, 'queued', started, 'normal', inQueue.signal);
  const last = job(limiter, 'last', started);
  await settled();
  expect(limiter.waiting).toBe(3);

  inQueue.abort(new Error('queued'));
  await expect(queued.done).rejects.toThrow('queued');
  inPace.abort(new Error('paced'));
  await expect(paced.done).rejects.toThrow('paced');
  expect(limiter.waiting).toBe(1);
  await settled();
  await pass(1000);
  expect(started).toEqual(['first', 'last']);
  for (const { end } of [first, last]) end();
  await Promise.all([first.done, last.done]);
  expect(limiter.waiting).toBe(0);
  expect(sleepers.size).toBe(0);
});

test('a limiter is idle when its last request has ended', async () => {
  const { limiter } = limiterInTime({ concurrency: 2 });
  const [first, second] = [job(limiter, 'first', []), job(limiter, 'second', [])];
  await settled();
  let isIdle = false;
  const idle = limiter.idle().then(() => {
    isIdle = true;
  });
  first.end();
  await settled();
  expect(isIdle).toBe(false);
  second.end();
  await idle;
});

/** Sets the wall clock, which Bottleneck reads, back by an hour. */
function setWallClockBack() {
  const wallClock = Date.now;
  onTestFinished(() => {
    Date.now = wallClock;
  });
  Date.now = () => wallClock() - 3_600_000;
}

test('calls that wait while the wall clock is set back: priorities, aborted calls and the bound hold', async () => {
  const { limiter } = limiterInTime({ concurrency: 2 });
  const started: string[] = [];
  const leaving = new AbortController();
  const [first, second] = [job(limiter, 'first', started), job(limiter, 'second', started)];
  await settled();
  const background = job(limiter, 'background', started, 'background');
  const aborted = job(limiter, 'aborted', started, 'urgent', leaving.signal);
  const [normal, urgent] = [job(limiter, 'normal', started), job(limiter, 'urgent', started, 'urgent')];
  setWallClockBack();
  leaving.abort(new Error('no longer wanted'));
  await expect(aborted.done).rejects.toThrow('no longer wanted');
  first.end();
  await waitFor(() => started.length > 2, { what: 'a third call' });
  await settled();
  expect(started).toEqual(['first', 'second', 'urgent']);
  for (const { end } of [second, urgent, normal, background]) end();
  await Promise.all([first, second, urgent, normal, background].map(({ done }) => done));
  expect(started).toEqual(['first', 'second', 'urgent', 'normal', 'background']);
  expect(limiter.waiting).toBe(0);
  await limiter.idle();
});

const list = { transactions: [transactionRecord('t-1')] };

test.each([
  ['a refused rate', 429, failure('ERR-03'), 1],
  ['a service that is down', 503, 'unavailable', 0],
])(
  'while %s says wait, no request of the endpoint is sent; others are not held',
  async (_, status, body, rateLimited) => {
    let now = 0;
    const service = await serve((request, response, number) => {
      if (request.url === '/whitelist') json(response, { whitelist: [] });
      else if (number === 2) json(response, body, status, { 'retry-after': '30' });
      else json(response, list);
    });
    const slept: number[] = [];
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const sleep: Sleep = async (ms, signal) => {
      slept.push(ms);
      wake();
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        void settled().then(() => {
          now += ms;
          resolve();
        });
      });
    };
    const { client } = clientOf(service, {}, { monotonicMs: () => now, sleep });
    const call = newCall();
    await client.transactions({}, call);
    const waiting = client.transactions({ offset: 1 }, call);
    await asleep;
    await client.whitelist({}, newCall());
    expect(service.requests).toEqual(['/transactions', '/transactions?offset=1', '/whitelist']);
    expect((await waiting).items).toHaveLength(1);
    expect(slept[0]).toBe(30_000);
    expect(call.tally).toEqual({ requests: 3, retries: 1, rateLimited });
  },
);

test('a rate that was found is reported as a fact, shown as a metric, and used again', async () => {
  const service = await serve((_, response, number) =>
    number <= 2 ? json(response, failure('ERR-03'), 429) : json(response, list),
  );
  const { client, facts, metrics } = clientOf(service, { rateLimit: 'auto' });
  await client.transactions({}, newCall());
  expect(facts[0]).toMatchObject({
    fact: 'request_rate.transactions',
    value: expect.stringMatching(/^\d+\.\d{3}$/),
  });
  const shown = (await metrics.limiterRate.get()).values;
  expect(shown).toMatchObject([{ labels: { endpoint: 'transactions' }, value: expect.any(Number) }]);

  const restored = clientOf(
    service,
    { rateLimit: 'auto' },
    { facts: new Map([['request_rate.transactions', '7.500']]) },
  );
  await restored.client.transactions({}, newCall());
  expect((await restored.metrics.limiterRate.get()).values).toMatchObject([{ value: 7.5 }]);
  expect(restored.facts).toEqual([]);
});

test('a configured rate is kept, whatever was learned', async () => {
  const service = await serve((_, response) => json(response, list));
  const { client, metrics, facts } = clientOf(
    service,
    { rateLimit: 400 },
    { facts: new Map([['request_rate.transactions', '0.001']]) },
  );
  for (let count = 0; count < 3; count += 1) await client.transactions({}, newCall());
  expect((await metrics.limiterRate.get()).values).toMatchObject([{ value: 400 }]);
  expect(facts).toEqual([]);
});

test('until the key has been accepted once, requests to an endpoint go one at a time', async () => {
  const held: (() => void)[] = [];
  const service = await serve((_, response) => void held.push(() => json(response, list)));
  const { client } = clientOf(service, { maxConcurrency: 3 });
  const calls = Array.from({ length: 4 }, () => client.transactions({}, newCall()));
  const arrivals = async (count: number) => {
    while (held.length < count) await nextTurn();
    await settled();
  };
  await arrivals(1);
  expect(held).toHaveLength(1);
  held[0]?.();
  await arrivals(4);
  expect(held).toHaveLength(4);
  for (const answer of held.slice(1)) answer();
  expect(await Promise.all(calls)).toHaveLength(4);
});

test('Bottleneck runs each request as a job of its own, and p-retry repeats it', async () => {
  const service = await serve((_, response, number) =>
    number === 1 ? json(response, failure('ERR-01'), 400) : json(response, list),
  );
  const requestedBy: string[] = [];
  let repeatedBy = '';
  const { client } = clientOf(
    service,
    { retryMinMs: 1 },
    {
      fetch: async (...request) => {
        requestedBy.push(callers());
        return await fetch(...request);
      },
    },
  );
  const mayRetry = () => {
    repeatedBy = callers();
    return true;
  };
  await client.transactions({}, { ...newCall(), mayRetry });
  expect(requestedBy).toHaveLength(2);
  for (const stack of requestedBy) expect(stack).toMatch(/doExecute .*\/bottleneck\//);
  expect(repeatedBy).toMatch(/onAttemptFailure .*\/p-retry\//);
});

/** The functions that led here, each with its file. */
function callers(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const { stack = '' } = new Error('here');
  Error.stackTraceLimit = limit;
  return stack;
}
