// Every fault at every place where transactions are read.
import { testCells } from './matrix.ts';
import { transactionPlaces } from './places.ts';
import { openRig } from './rig.ts';

testCells(await openRig(), transactionPlaces, 17);
