// Calendar days of a time zone from the rules that Node brings along: a second opinion on the database's. A
// moment is whole microseconds since 1970, as a bigint, so that nothing is rounded.

export type Micros = bigint;

const formats = new Map<string, Intl.DateTimeFormat>();
const starts = new Map<string, Micros>();

/** A zone, or those that an account had one after the other, each with the moment from which on. */
export type Zone = string | readonly (readonly [zone: string, from: Micros])[];

/**
 * The local calendar day of a moment, as `2026-10-25`; where the zone changed, the latest that the clock has
 * shown.
 */
export function dayOf(moment: Micros, zone: Zone): string {
  if (typeof zone === 'string') return localDay(moment, zone);
  const shown = zone.map(([name, from], index) => {
    const until = zone[index + 1]?.[1] ?? moment;
    return from > moment ? '' : localDay(until < moment ? until : moment, name);
  });
  return shown.toSorted().at(-1) ?? '';
}

function localDay(moment: Micros, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timeZone, format);
  }
  // Offsets are whole seconds, so the milliseconds below decide nothing that the day depends on.
  const parts = new Map(
    format.formatToParts(new Date(Number(moment / 1000n))).map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

/**
 * The first moment of a local day: found by halving between two moments of which one is before it and one is
 * not.
 */
export function startOfDay(day: string, zone: Zone): Micros {
  const key = `${day} ${zone}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const noonUtc = micros(`${day}T12:00:00Z`);
  let before = noonUtc - 3n * 86_400_000_000n;
  let within = noonUtc + 86_400_000_000n;
  while (within - before > 1n) {
    const middle = (before + within) / 2n;
    if (dayOf(middle, zone) < day) before = middle;
    else within = middle;
  }
  starts.set(key, within);
  return within;
}

export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** Every day from one to another, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = nextDay(day)) days.push(day);
  return days;
}

/** Reads ISO 8601 in UTC with up to six places of seconds. */
export function micros(iso: string): Micros {
  const [whole = '', fraction = ''] = iso.replace(/Z$/, '').split('.');
  return BigInt(Date.parse(`${whole}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

/** Writes ISO 8601 in UTC with six places of seconds. */
export function isoOf(moment: Micros): string {
  const ms = moment / 1000n;
  return `${new Date(Number(ms)).toISOString().slice(0, -1)}${(moment - ms * 1000n).toString().padStart(3, '0')}Z`;
}
