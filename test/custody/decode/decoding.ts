// Decoding of a body without HTTP around it.
import { createMetrics } from '../../../src/base/metrics.ts';
import { parseExactly } from '../../../src/custody/decode/exact-json.ts';
import { createTolerance, type Tolerance } from '../../../src/custody/decode/fields.ts';
import { itemReader, type RecordDecoder } from '../../../src/custody/decode/items.ts';
import type { ListItem } from '../../../src/domain/page.ts';

const noLimit = { bytes: Number.POSITIVE_INFINITY, members: Number.POSITIVE_INFINITY, depth: 100 };

export interface Decoded<Record_> {
  /** Null where no list was found. */
  readonly items: readonly ListItem<Record_>[] | null;
  readonly deviations: Readonly<Record<string, number>>;
}

export function decode<Record_>(
  text: string,
  find: (body: unknown, tolerance: Tolerance) => readonly unknown[] | null,
  decoder: RecordDecoder<Record_>,
): Decoded<Record_> {
  const deviations: Record<string, number> = {};
  const tolerance: Tolerance = {
    ...createTolerance('transactions', createMetrics()),
    tolerate(deviation) {
      deviations[deviation] = (deviations[deviation] ?? 0) + 1;
    },
  };
  const body = parseExactly(text);
  const records = find(body.value, tolerance);
  return {
    items: records === null ? null : records.map(itemReader(body, tolerance, decoder, noLimit)),
    deviations,
  };
}
