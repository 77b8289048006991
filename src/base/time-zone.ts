// The local time of a time zone, by the rules that ship with Node.js.

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, format);
  return format;
}

/** The local time of a moment: `2026-11-20T19:32:00`. */
export function localOf(ms: number, zone: string): string {
  const parts = formatOf(zone)
    .formatToParts(ms)
    .map(({ type, value }) => [type, value] as const);
  const { year = '', month, day, hour, minute, second } = Object.fromEntries(parts);
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** By how many milliseconds the clocks of the zone are ahead of UTC. */
export function offsetAt(ms: number, zone: string): number {
  return Date.parse(`${localOf(ms, zone)}Z`) - Math.floor(ms / 1000) * 1000;
}
