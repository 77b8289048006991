// Paging while the mirror goes on: rows that are there throughout come once in every walk, whatever is
// written between its pages.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quarantine } from '../../src/store/read-api/findings.ts';
import { streamCsv } from '../../src/store/read-api/list/stream-csv.ts';
import { renewLease } from '../../src/store/run/leases.ts';
import { sized } from '../support/form.ts';
import { account, commitPages, openStore, pageOf, type WireTransaction } from '../support/store.ts';
import { startApi } from './documented-api.ts';

const runs = sized({ short: 4, long: 500 }, 'PAGING_RUNS');

/** What is committed between two pages: new transactions, and changes of old ones. */
const step = fc.record({
  added: fc.integer({ min: 0, max: 12 }),
  changed: fc.array(
    fc.record({ which: fc.nat(), status: fc.constantFrom('completed', 'failed', 'pending') }),
    { maxLength: 4 },
  ),
});

const walk = fc.record({
  sort: fc.constantFrom('first_seen_at', '-first_seen_at', 'transaction_id', '-transaction_id'),
  filter: fc.constantFrom('', '&transaction_type=deposit', '&missing=false', '&amount_from=1'),
  limit: fc.integer({ min: 1, max: 9 }),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
});

test(
  `${runs} random walks while pages are committed: nothing doubled, nothing missed`,
  async () => {
    const store = await openStore();
    const api = await startApi(store.url);
    const known: string[] = [];
    let [clock, made] = [0, 0];
    const commit = async (records: readonly WireTransaction[]) => {
      if (records.length === 0) return;
      clock += 10;
      await commitPages(store, pageOf(records, clock));
      for (const { id } of records) if (!known.includes(id)) known.push(id);
    };
    // Identifiers in no order, several with one moment.
    const fresh = (count: number) =>
      Array.from({ length: count }, () => {
        made += 1;
        return { id: `${(made * 7919) % 1000}-${made}`, amount: '1.5' };
      });
    await commit(fresh(20));

    const follow = async ({
      sort,
      filter,
      limit,
      steps,
    }: {
      sort: string;
      filter: string;
      limit: number;
      steps: { added: number; changed: { which: number; status: string }[] }[];
    }) => {
      await renewLease(store.database, store.lease);
      // What an earlier walk has left is a part of this one; it is kept small.
      if (known.length > 90) {
        await store.query(
          'set session_replication_role = replica; truncate custody.transactions cascade; set session_replication_role = origin',
        );
        known.length = 0;
        await commit(fresh(20));
      }
      const before = [...known];
      const left = [...steps];
      const rows = await api.walk(`/api/v1/transactions?sort=${sort}&limit=${limit}${filter}`, async () => {
        const next = left.shift();
        if (next === undefined) return;
        const changes = next.changed.map(({ which, status }) => ({
          id: before[which % before.length] ?? '',
          status,
          amount: '1.5',
        }));
        await commit([...new Map(changes.map((change) => [change.id, change])).values()]);
        await commit(fresh(next.added));
      });
      const ids = rows.map((row) => row['transaction_id']);
      expect(new Set(ids).size).toBe(ids.length);
      expect(before.filter((id) => !ids.includes(id))).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(walk, follow), { numRuns: runs });
  },
  60_000 + runs * 2_000,
);

test('a page and a part of CSV end at some 16 MiB, and what follows comes next', async () => {
  const store = await openStore();
  await store.query(
    `insert into sync.quarantine (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at)
     select $1, 'vaults', i::text, 'unreadable', repeat('x', 1040000) || i, $2, now(), now() from generate_series(1, 20) as i`,
    [account, store.run.runId],
  );
  const expected = Array.from({ length: 20 }, (_, index) => `${'x'.repeat(1_040_000)}${index + 1}`);
  const api = await startApi(store.url);
  expect((await api.json('/api/v1/quarantine?limit=500')).data).toHaveLength(17);
  const rows = await api.walk('/api/v1/quarantine?limit=500&sort=quarantine_id');
  expect(rows.map(({ raw }) => raw).join() === expected.join()).toBe(true);

  const parts: string[] = [];
  const selection = { account, at: null, filters: {}, order: 'quarantine_id' };
  const write = async (part: string) => void parts.push(part);
  await streamCsv(store.database, quarantine, selection, { write, signal: new AbortController().signal });
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(17 * 2 ** 20);
  const [, ...lines] = parts.join('').split('\r\n');
  expect(lines.map((line) => line.split('"')[5] ?? '').join() === `${expected.join()},`).toBe(true);
});

test('a page of the feed ends at some 16 MiB, and what follows comes next', async () => {
  const store = await openStore();
  await store.query(
    `insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id)
     select $1, 'vault', i::text, 1, now(), 'added', jsonb_build_object('x', repeat('x', 1040000)), $2
     from generate_series(1, 20) as i order by i + 0`,
    [account, store.run.runId],
  );
  const api = await startApi(store.url);
  const first = await api.json('/api/v1/changes?limit=500');
  expect([first.data.length, first.has_more]).toEqual([17, true]);
  const place = `after=${first.next_after}&history=${first.history}`;
  const rest = await api.json(`/api/v1/changes?${place}&limit=500`);
  expect([rest.data.length, rest.has_more]).toEqual([3, false]);
  expect([...first.data, ...rest.data].map((row) => row['resource_id'])).toEqual(
    Array.from({ length: 20 }, (_, index) => String(index + 1)),
  );
});
