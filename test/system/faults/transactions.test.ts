// Every fault at every place where transactions are read.
import { describe, test, vi } from 'vitest';
import { faultKinds } from '../../../src/sandbox/faults/fault-kinds.ts';
import { playCell } from './matrix.ts';
import { transactionPlaces } from './places.ts';
import { openRig } from './rig.ts';

vi.setConfig({ maxConcurrency: 12, testTimeout: 60_000 });
const rig = await openRig();

/** Poison is a matter of records: test/sync/pages/unreadable-record.pg.test.ts. */
const kinds = faultKinds.filter((kind) => kind !== 'poison');

describe.concurrent.each(transactionPlaces)('$name', (place) => {
  for (const kind of kinds) {
    test(kind, () => playCell(rig, place, kind));
  }
});
