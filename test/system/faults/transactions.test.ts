// Every fault at every place where transactions are read. `npm test` takes a fixed spread: some kinds at each
// place, each kind at some places.
import { describe, test, vi } from 'vitest';
import { faultKinds } from '../../../packages/sandbox/src/faults/fault-kinds.ts';
import { sampled } from '../../support/form.ts';
import { playCell } from './matrix.ts';
import { transactionPlaces } from './places.ts';
import { openRig } from './rig.ts';

vi.setConfig({ maxConcurrency: 12 });
const rig = await openRig();

/** Poison is a matter of records: test/sync/pages/unreadable-record.pg.test.ts. */
const kinds = faultKinds.filter((kind) => kind !== 'poison');

describe.concurrent.each(transactionPlaces.map((place, row) => ({ ...place, row })))('$name', (place) => {
  for (const kind of sampled(kinds, { every: 20, from: 5 * place.row })) {
    test(`${kind}: requests are bounded, a failure is explained, and the mirror equals the world in the end`, () =>
      playCell(rig, place, kind));
  }
});
