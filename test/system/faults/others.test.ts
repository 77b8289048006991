// Every fault at every place where balances, vaults and the whitelist are read.
import { testCells } from './matrix.ts';
import { otherPlaces } from './places.ts';
import { openRig } from './rig.ts';

testCells(await openRig(), otherPlaces, 19);
