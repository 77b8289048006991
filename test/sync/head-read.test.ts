import { expect, test } from 'vitest';
import type { Page } from '../../src/domain/page.ts';
import { readHead } from '../../src/sync/head-read.ts';

interface Service {
  keys: string[];
  /** What happens before an answer, by its number from 1; gives the size of the page. */
  readonly answer: (request: number, offset: number) => number;
}

function reading(service: Service, head: readonly string[]) {
  const seen = new Set<string>();
  let requests = 0;
  const read = async (offset: number): Promise<Page<string>> => {
    requests += 1;
    const size = service.answer(requests, offset);
    const items = service.keys
      .slice(offset, offset + size)
      .map((key) => ({ kind: 'record' as const, key, hash: key, record: key }));
    return { items, beganAt: requests, arrivedAt: requests, sourceTimestamp: null };
  };
  const onPage = async (page: Page<string>) => {
    for (const { key } of page.items) seen.add(key);
  };
  return { seen, done: readHead({ read, onPage, head }), requests: () => requests };
}

const named = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);
const old = named('old', 200);
const head = old.slice(0, 40);

test('the head is read until the old one is met again', async () => {
  const arrived = named('new', 150);
  const { done, seen, requests } = reading({ keys: [...arrived, ...old], answer: () => 50 }, head);
  expect(await done).toBe(true);
  expect(arrived.filter((key) => !seen.has(key))).toEqual([]);
  expect(requests()).toBe(5);
});

test('one record of the old head is not taken for the old head, for it may have moved', async () => {
  const keys = ['new0', 'old7', ...named('later', 100), ...old.filter((key) => key !== 'old7')];
  const { done, seen } = reading({ keys, answer: () => 20 }, head);
  expect(await done).toBe(true);
  expect(seen).toContain('later99');
});

test('a page cut short to what is known already is not the end of the list', async () => {
  const arrived = named('new', 150);
  const cut = (_: number, offset: number) => (offset > 0 && offset < 100 ? 2 : 50);
  const { done, seen } = reading({ keys: [...arrived, ...old], answer: cut }, head);
  expect(await done).toBe(true);
  expect(arrived.filter((key) => !seen.has(key))).toEqual([]);
});

test('a list whose old head is gone is read to its end', async () => {
  const keys = named('new', 120);
  const { done, seen } = reading({ keys, answer: () => 50 }, head);
  expect(await done).toBe(true);
  expect(keys.filter((key) => !seen.has(key))).toEqual([]);
});

test('what moves to the head while it is read over several pages is seen, also below a record that was first before', async () => {
  const service: Service = {
    keys: [...named('new', 100), ...old],
    answer(request) {
      // An unread one moves to the head, and many after it: among them, in the end, the one that was first.
      if (request === 4)
        service.keys = ['new0', ...named('more', 60), 'moved', ...named('new', 100).slice(1), ...old];
      return 50;
    },
  };
  const { done, seen } = reading(service, head);
  expect(await done).toBe(true);
  expect(seen).toContain('more59');
  expect(seen).toContain('moved');
});

test('a head that never stands still is not trusted', async () => {
  let arrivals = 0;
  const service: Service = {
    keys: [...named('new', 100), ...old],
    answer() {
      service.keys = [`arrival${arrivals++}`, ...service.keys];
      return 50;
    },
  };
  expect(await reading(service, head).done).toBe(false);
});
