// Loaded into a Node.js by --import, in front of everything else: its Date is CLOCK_SHIFT_MS ahead of the machine's. For
// tests at other dates where there is no C compiler. Timers and performance.now() go on as they are.
const shiftMs = Number(process.env['CLOCK_SHIFT_MS']);
if (!Number.isFinite(shiftMs)) throw new Error('CLOCK_SHIFT_MS must be a number of milliseconds');
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [now()], made),
  apply: (target) => new target(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
