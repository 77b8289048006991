// Whatever pages come, in whatever grouping: the history is the sequence of what was observed, and replays
// add nothing.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Page } from '../../../src/domain/page.ts';
import type { Transaction } from '../../../src/domain/transaction.ts';
import { mergeObservations } from '../../../src/store/commit/observations.ts';
import {
  decide,
  diffTransactions,
  type KnownTransaction,
} from '../../../src/store/commit/transaction-changes.ts';
import { oneRun } from '../../support/cleanup.ts';
import { commitPages, openStore, pageOf, transaction, type WireTransaction } from '../../support/store.ts';

const wire: fc.Arbitrary<WireTransaction> = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  status: fc.constantFrom('pending', 'confirming', 'completed'),
  note: fc.constantFrom('', 'x'),
});

/** Pages one after the other: each is asked for when the one before it has been answered. */
const sweeps = fc.array(fc.uniqueArray(wire, { selector: (record) => record.id, maxLength: 3 }), {
  minLength: 1,
  maxLength: 10,
});

function inSequence(contents: readonly (readonly WireTransaction[])[]): Page<Transaction>[] {
  return contents.map((records, index) => pageOf(records, index * 10, index * 10 + 5));
}

/** A mirror in memory, by the pure parts that the store is made of. */
function mirror() {
  const rows = new Map<string, KnownTransaction>();
  const changes = decide(new Map(), new Map());
  return {
    rows,
    changes,
    commit(pages: readonly Page<Transaction>[]) {
      const { records } = mergeObservations(pages);
      const step = decide(records, new Map([...records.keys()].map((key) => [key, rows.get(key) ?? null])));
      for (const row of [...step.newRows, ...step.changedRows]) rows.set(row.record.transactionId, row);
      changes.statusChanges.push(...step.statusChanges);
      changes.revisions.push(...step.revisions);
    },
  };
}

/** Consecutive different values of a field of one record, as a reader of the pages saw them. */
function seen(contents: readonly (readonly WireTransaction[])[], id: string, field: 'status' | 'note') {
  const values = contents.flatMap((records) =>
    records.filter((record) => record.id === id).map((record) => record[field]),
  );
  return values.filter((value, index) => value !== values[index - 1]);
}

test('history is the sequence that was observed, however the pages are grouped into commits', () => {
  fc.assert(
    fc.property(
      sweeps,
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 10, maxLength: 10 }),
      (contents, sizes) => {
        const pages = inSequence(contents);
        const kept = mirror();
        for (let at = 0, turn = 0; at < pages.length; turn += 1) {
          const size = sizes[turn] ?? 1;
          kept.commit(pages.slice(at, at + size));
          at += size;
        }
        for (const id of ['a', 'b', 'c']) {
          const history = kept.changes.statusChanges.filter((change) => change.transactionId === id);
          expect(history.map((change) => change.toStatus)).toEqual(seen(contents, id, 'status'));
          expect(history.map((change) => change.sequence)).toEqual(history.map((_, index) => index + 1));
          history.forEach((change, index) => {
            expect(change.fromStatus).toBe(history[index - 1]?.toStatus ?? null);
          });
          const notes = kept.changes.revisions.filter((revision) => revision.transactionId === id);
          expect(notes.length).toBe(Math.max(0, seen(contents, id, 'note').length - 1));
          const last = contents.flatMap((records) => records.filter((record) => record.id === id)).at(-1);
          expect(kept.rows.get(id)?.record.status).toBe(last?.status);
        }
      },
    ),
  );
});

test('a row is never changed by an answer to an older question, whatever the order of arrival', () => {
  const span = fc.record({ began: fc.nat(50), took: fc.integer({ min: 1, max: 30 }), record: wire });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const kept = mirror();
      for (const { began, took, record } of spans) {
        const before = kept.rows.get(record.id);
        kept.commit([pageOf([record], began, began + took)]);
        const after = kept.rows.get(record.id);
        if (before !== undefined && after !== before) {
          const page = pageOf([record], began, began + took);
          expect(page.beganAt * 1000).toBeGreaterThanOrEqual(before.changedAt);
        }
      }
    }),
  );
});

test('the database holds what the pure parts say, and replays add nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      sweeps,
      oneRun(async (contents) => {
        const store = await openStore();
        const pages = inSequence(contents);
        const commit = (grouped: readonly Page<Transaction>[]) => commitPages(store, ...grouped);
        const middle = Math.floor(pages.length / 2);
        await commit(pages.slice(0, middle));
        await commit(pages.slice(middle));
        const read = async () => ({
          rows: await store.query(
            'select transaction_id, status, note, ctid::text from custody.transactions order by 1',
          ),
          history: await store.query(
            'select transaction_id, sequence, to_status from custody.transaction_status_history order by transaction_id, sequence',
          ),
          revisions: await store.query(
            'select transaction_id, revision, before, after from custody.transaction_revisions order by transaction_id, revision',
          ),
        });
        const found = await read();
        for (const id of ['a', 'b', 'c']) {
          const history = found.history.filter((row) => row['transaction_id'] === id);
          expect(history.map((row) => row['to_status'])).toEqual(seen(contents, id, 'status'));
          expect(history.map((row) => row['sequence'])).toEqual(history.map((_, index) => index + 1));
          const notes = found.revisions.filter((row) => row['transaction_id'] === id);
          expect(notes.map((row) => row['revision'])).toEqual(notes.map((_, index) => index + 1));
          expect(notes.map((row) => row['after'])).toEqual(
            seen(contents, id, 'note')
              .slice(1)
              .map((note) => ({ note })),
          );
        }
        await commit(pages.slice(middle));
        await commit(pages);
        expect(await read()).toEqual(found);
      }),
    ),
    { numRuns: 15 },
  );
});

test('a difference in any one place is reported by its name and nothing else', () => {
  const value = fc.jsonValue({ noUnicodeString: true, maxDepth: 2 } as fc.JsonSharedConstraints);
  fc.assert(
    fc.property(value, value, (one, other) => {
      const before = transaction({ id: 'a', extra: { same: 1, place: one } });
      const after = transaction({
        id: 'a',
        extra: { place: other, same: 1 },
        timestamp: '2026-05-05T00:00:00Z',
      });
      const diff = diffTransactions(before, after);
      if (JSON.stringify(one) === JSON.stringify(other)) expect(diff).toBeNull();
      for (const field of diff?.changedFields ?? []) expect(field).toMatch(/^raw\.extra\.place/);
      expect(diffTransactions(after, after)).toBeNull();
      if (diff !== null) {
        expect(Object.keys({ ...JSON.parse(diff.before), ...JSON.parse(diff.after) }).sort()).toEqual(
          diff.changedFields.toSorted(),
        );
      }
    }),
  );
});

test('what another name of a field holds is reported, unless the field was read from it', () => {
  const of = (party: object) => ({
    ...transaction({ id: 'a' }),
    destinationId: Object.values(party)[0] ?? null,
    raw: JSON.stringify({ transaction: { destination: party } }),
  });
  const changed = (before: object, after: object) => diffTransactions(of(before), of(after));
  const both = changed({ destination_id: 'd1', vault_id: 'v1' }, { destination_id: 'd2', vault_id: 'v2' });
  expect(JSON.parse(both?.before ?? '')).toEqual({
    destination_id: 'd1',
    'raw.transaction.destination.vault_id': 'v1',
  });
  expect(changed({ vault_id: 'v1' }, { vault_id: 'v2' })?.changedFields).toEqual(['destination_id']);
  expect(changed({ vault_id: 'v1' }, { destination_id: 'd2' })?.changedFields).toEqual(['destination_id']);
});

test('numbers are compared exactly', () => {
  const raw = (digits: string) => ({ ...transaction({ id: 'a' }), raw: `{"n":${digits}}` });
  expect(diffTransactions(raw('0.1'), raw('0.1000000000000000055'))?.after).toBe(
    '{"raw.n":0.1000000000000000055}',
  );
  expect(diffTransactions(raw('1e3'), raw('1000'))).toBeNull();
  expect(diffTransactions(raw('1'), raw('"1"'))).toMatchObject({
    before: '{"raw.n":1}',
    after: '{"raw.n":"1"}',
  });
});
