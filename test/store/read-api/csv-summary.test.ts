// The totals at the end of a CSV, gathered row by row.
import { expect, test } from 'vitest';
import { destinationUses } from '../../../src/store/read-api/destinations.ts';
import { startSummary } from '../../../src/store/read-api/list/stream-csv.ts';

const selection = { account: 'default', at: null, filters: {}, order: '-first_seen_at' };

test('amounts of very many zeros add up exactly, and as fast as others', () => {
  const { add, end } = startSummary(destinationUses, selection, '2026-06-30T09:30:00Z');
  const least = `0.${'0'.repeat(16_382)}1`;
  const beganAt = performance.now();
  for (let row = 0; row < 20; row += 1) add([least, 'BTC', 'completed']);
  add(['1.50', 'ETH', 'completed']);
  add(['0.50', 'ETH', 'completed']);
  const summary = end();
  expect(performance.now() - beganAt).toBeLessThan(1_000);
  expect(summary).toContain(`"Total amount",0.${'0'.repeat(16_381)}2,"asset_id","BTC"`);
  expect(summary).toContain('"Total amount",2,"asset_id","ETH"');
});

test('a filter that looks like a formula gets an apostrophe, also behind another separator', () => {
  const filters = { q: ' =1+1', note: 'x;@SUM(A1)' };
  const summary = startSummary(destinationUses, { ...selection, filters }, '2026-06-30T09:30:00Z').end();
  expect(summary).toContain(`"Filter q","' =1+1"`);
  expect(summary).toContain(`"Filter note","x;'@SUM(A1)"`);
});
