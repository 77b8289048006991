// Loaded into Node.js by --import before everything else: shifts Date by CLOCK_SHIFT_MS. For tests at other
// dates on a machine without a C compiler. Timers and performance.now() are not shifted.
const shiftMs = Number(process.env['CLOCK_SHIFT_MS']);
if (!Number.isFinite(shiftMs)) throw new Error('CLOCK_SHIFT_MS must be a number of milliseconds');
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [now()], made),
  apply: (target) => new target(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
