// Every fault at every place where balances, vaults and the whitelist are read.
import { describe, test, vi } from 'vitest';
import { faultKinds } from '../../../src/sandbox/faults/fault-kinds.ts';
import { playCell } from './matrix.ts';
import { otherPlaces } from './places.ts';
import { openRig } from './rig.ts';

vi.setConfig({ maxConcurrency: 12, testTimeout: 60_000 });
const rig = await openRig();
/** Poison is a matter of transactions. */
const kinds = faultKinds.filter((kind) => kind !== 'poison');

describe.concurrent.each(otherPlaces)('$name', (place) => {
  for (const kind of kinds) {
    test(kind, () => playCell(rig, place, kind));
  }
});
