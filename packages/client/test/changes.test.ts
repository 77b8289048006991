// The feed of changes: each once and in order, whatever happens on the way; where it is; and when it ends.
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.ts';
import { ApiError, type ChangeFeed, type Place } from '../src/client.ts';
import { breakOff, cutShort, type FakeApi, fakeApi, sendJson, sendProblem } from './fake-api.ts';

const ids = (count: number, step = 1) => Array.from({ length: count }, (_, index) => (index + 1) * step);

const history = '4f0c2a91b7de-0';

function answerOf(known: readonly number[], after: number, limit: number) {
  const found = known.filter((id) => id > after);
  const data = found.slice(0, limit).map((change_id) => ({ change_id, kind: 'vault', details: {} }));
  return {
    account_id: 'acme',
    data,
    next_after: data.at(-1)?.change_id ?? after,
    has_more: found.length > limit,
    last_change_id: known.at(-1) ?? 0,
    history,
  };
}

type Answer = ReturnType<typeof answerOf>;

/** A feed of the ids, which may grow; `disturb` answers instead where it says so. */
async function feedOf(
  known: number[],
  disturb: (response: ServerResponse, answer: Answer, number: number) => boolean = () => false,
): Promise<FakeApi> {
  let number = 0;
  return await fakeApi((_, response, { searchParams }) => {
    const answer = answerOf(known, Number(searchParams.get('after')), Number(searchParams.get('limit')));
    if (!disturb(response, answer, number++)) sendJson(response, answer);
  });
}

/** Reads until `count` changes have come. */
async function take(feed: ChangeFeed, count: number): Promise<number[]> {
  const taken: number[] = [];
  if (count === 0) return taken;
  for await (const { change_id } of feed) if (taken.push(change_id) === count) break;
  return taken;
}

const faults: Readonly<Record<string, (response: ServerResponse, answer: Answer) => unknown>> = {
  reset: (response) => response.destroy(),
  'broken off': breakOff,
  'cut short': cutShort,
  500: (response) => sendProblem(response, 500, { code: 'failed', detail: 'no' }),
  502: (response) => response.writeHead(502).end('<html>'),
  429: (response) => sendProblem(response, 429, { code: 'busy', detail: 'no' }, { 'retry-after': '0' }),
  'in parts': (response, answer) => {
    const text = JSON.stringify(answer);
    response.setHeader('content-type', 'application/json');
    response.write(text.slice(0, 20), () => setTimeout(() => response.end(text.slice(20)), 2));
  },
};

test('with any faults, in pages of any size, each change comes once and in order, also for who begins again', async () => {
  const kinds = Object.keys(faults);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 25 }),
      fc.array(fc.constantFrom(null, ...kinds), { maxLength: 12 }),
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
      async (steps, disturbances, limit, stops) => {
        let last = 0;
        const all = steps.map((step) => {
          last += step;
          return last;
        });
        // What comes in while the feed is read.
        const known = all.slice(0, Math.ceil(all.length / 2));
        const { client } = await feedOf(known, (response, answer, number) => {
          if (known.length < all.length) known.push(...all.slice(known.length, known.length + 2));
          const fault = faults[disturbances[number] ?? ''];
          fault?.(response, answer);
          return fault !== undefined;
        });
        const taken: number[] = [];
        let place: Place = { after: 0 };
        for (const stop of [...stops, all.length]) {
          const feed = client.changes({ ...place, limit, wait: 0 });
          taken.push(...(await take(feed, Math.min(stop, all.length - taken.length))));
          place = feed.position;
        }
        expect(taken).toEqual(all);
      },
    ),
    { numRuns: 30 },
  );
});

test('the place is that of the change handed out last, or of the page', async () => {
  const { client, requests } = await feedOf(ids(5, 10));
  const feed = client.changes({ after: 10, history, limit: 2 });
  expect(feed.position).toEqual({ after: 10, history });
  const places: number[][] = [];
  for await (const { change_id } of feed) {
    expect(feed.position.history).toBe(history);
    if (places.push([change_id, feed.position.after]) === 3) break;
  }
  expect(places).toEqual([
    [20, 20],
    [30, 30],
    [40, 40],
  ]);
  // Another reading goes on there, although its page held more.
  for await (const page of feed.pages()) {
    expect([page.data.length, feed.position.after, page.has_more]).toEqual([1, 50, false]);
    break;
  }
  expect(requests).toEqual(
    [10, 30, 40].map((after) => `/api/v1/changes?limit=2&wait=25&after=${after}&history=${history}`),
  );
});

test('an empty answer is asked again, with the same place, and not at once', async () => {
  const known: number[] = [];
  const { client, requests } = await fakeApi(
    (_, response, { searchParams }) =>
      sendJson(response, answerOf(known, Number(searchParams.get('after')), 5)),
    { retry: { firstDelayMs: 40 } },
  );
  const began = performance.now();
  const taken = take(client.changes({ kind: 'vault', account: 'acme' }), 1);
  await waitFor(() => requests.length >= 5);
  expect(performance.now() - began).toBeGreaterThan(150);
  known.push(7);
  expect(await taken).toEqual([7]);
  // The first answer names the history.
  expect([...new Set(requests)]).toEqual([requests[0], `${requests[0]}&history=${history}`]);
  expect(requests[0]).toBe('/api/v1/changes?kind=vault&account=acme&wait=25&limit=500&after=0');
});

test('an abort ends the feed without an error: while it waits for an answer, for another attempt, and for its reader', async () => {
  const ends = async (api: FakeApi, isWaiting: () => boolean) => {
    const controller = new AbortController();
    const feed = api.client.changes({ signal: controller.signal });
    const taken: number[] = [];
    const reading = (async () => {
      for await (const { change_id } of feed) taken.push(change_id);
    })();
    await waitFor(isWaiting);
    controller.abort();
    await reading;
    return taken;
  };
  const held = await feedOf([1, 2], (_response, { data }) => data.length === 0);
  expect(await ends(held, () => held.requests.length === 2)).toEqual([1, 2]);
  const forever = { firstDelayMs: 600_000, greatestDelayMs: 600_000 };
  const refused = await fakeApi((_, response) => response.destroy(), { retry: forever });
  expect(await ends(refused, () => refused.retries.length === 1)).toEqual([]);
  const many = await feedOf(ids(10));
  const controller = new AbortController();
  const taken: number[] = [];
  for await (const { change_id } of many.client.changes({ signal: controller.signal }))
    if (taken.push(change_id) === 3) controller.abort();
  expect(taken).toEqual([1, 2, 3]);
  expect(await take(many.client.changes({ signal: AbortSignal.abort() }), 1)).toEqual([]);
  expect(many.requests).toHaveLength(1);
});

test('the feed goes on after more failures than a call is given, and waits as long as it is asked to', async () => {
  const { client, retries } = await feedOf([1], (response, _answer, number) => {
    if (number === 7) sendProblem(response, 409, { code: 'changes-ahead', detail: 'no' });
    else if (number === 8) sendProblem(response, 429, { code: 'busy', detail: 'no' }, { 'retry-after': '1' });
    else if (number < 8) response.destroy();
    return number <= 8;
  });
  const began = performance.now();
  expect(await take(client.changes(), 1)).toEqual([1]);
  expect(retries).toHaveLength(9);
  // Longer than the greatest delay of the client, since the mirror asks for it.
  expect(performance.now() - began).toBeGreaterThan(990);
});

test('what waiting does not cure is thrown: a place that is gone, a wrong parameter', async () => {
  for (const [status, code] of [
    [409, 'history-changed'],
    [410, 'gone'],
    [400, 'bad-parameter'],
    [401, 'no-key'],
  ] as const) {
    const { client, requests } = await feedOf([], (response) => {
      sendProblem(response, status, { code, detail: 'no' });
      return true;
    });
    const error = await take(client.changes({ after: 99 }), 1).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, problem: { code } });
    expect(requests).toHaveLength(1);
  }
});

test('an answer that does not follow the place is refused, not handed out', async () => {
  const change = (change_id: unknown) => ({ change_id });
  const mixedUp: object[] = [
    { data: [change(5), change(6)], next_after: 6 },
    { data: [change(7), change(7)], next_after: 7 },
    { data: [change(8), change(7)], next_after: 8 },
    { data: [change(8)], next_after: 7 },
    { data: [change('8')], next_after: 8 },
    { data: [null], next_after: 8 },
    { data: [] },
    { data: [], next_after: 4, history },
    { data: [], next_after: 5, history: undefined },
    [],
  ];
  for (const part of mixedUp) {
    const body = Array.isArray(part) ? part : { history, ...part };
    const { client } = await fakeApi((_, response) => sendJson(response, body));
    const error = await take(client.changes({ after: 5 }), 1).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'ApiError',
      isTransient: false,
      message: expect.stringContaining('does not follow the given position'),
    });
  }
});

test('the time limit of an answer begins behind the wait that was asked for', async () => {
  const { client, requests } = await fakeApi(
    (_, response) => setTimeout(() => sendJson(response, answerOf([1], 0, 5)), 300),
    { timeoutMs: 100 },
  );
  expect(await take(client.changes({ wait: 20 }), 1)).toEqual([1]);
  expect(requests).toHaveLength(1);
});
