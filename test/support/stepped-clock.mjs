// Loaded into a daemon by --import: steps its wall clock, and leaves its monotonic one alone. The file that
// STEPPED_CLOCK names holds by how many milliseconds the clock is ahead; SIGUSR2 makes the process read it.
import { readFileSync } from 'node:fs';

const RealDate = Date;
let shiftMs = 0;
const read = () => {
  shiftMs = Number(readFileSync(process.env['STEPPED_CLOCK'], 'utf8'));
};
read();
process.on('SIGUSR2', read);
const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [now()], made),
  apply: (target) => new target(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
