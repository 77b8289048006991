// Loaded into each daemon of a soak: collects its garbage every second, so that the heap that its metrics
// tell is what stays, whenever V8 itself would have collected.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
setInterval(() => collect(), 1_000).unref();
