// Answers of the service that are well-formed and as dear as they can be made: each shape in a length.

const record = (id: string, more = '') =>
  `{"transaction_id":"${id}","status":"completed","timestamp":"2026-01-01T00:00:00Z","transaction":{"transaction_type":"deposit","asset_id":"BTC","network_id":"BTC","amount":"1.5","fee":"0","source":{},"destination":{}${more}}}`;

/** As many as fit, each with its number. */
function parts(bytes: number, make: (index: number) => string): string[] {
  const made: string[] = [];
  for (let index = 0, length = 0; length < bytes; index += 1) {
    const part = make(index);
    made.push(part);
    length += Buffer.byteLength(part) + 1;
  }
  return made;
}

const filled = (bytes: number, make: (index: number) => string) => parts(bytes, make).join(',');

const times = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
const records = (bytes: number, more: (index: number) => string) =>
  parts(bytes, (index) => record(`t-${index}`, more(index)));

/** The elements of a list, in about so many bytes. */
const shapes: Readonly<Record<string, (bytes: number) => string | string[]>> = {
  'deep nesting': (bytes) => record('t', `,"x":${times('[', bytes / 2)}${times(']', bytes / 2)}`),
  'nesting within the budget': (bytes) =>
    records(bytes, () => `,"x":[${times(`${'['.repeat(90)}${']'.repeat(90)},`, 400)}0]`),
  'empty arrays': (bytes) => record('t', `,"x":[${times('[],', bytes)}[]]`),
  'many members': (bytes) => record('t', `,"x":{${filled(bytes, (index) => `"m${index}":1`)}}`),
  'members within the budget': (bytes) =>
    records(bytes, () => `,"x":{${filled(100_000, (index) => `"m${index}":[]`)}}`),
  'one text': (bytes) => record('t', `,"note":"${times('x', bytes)}"`),
  'texts within the budget': (bytes) => records(bytes, () => `,"note":"${times('x', 1_000_000)}"`),
  // Of two bytes a character in memory, all of them.
  'texts with one wide character': (bytes) =>
    records(bytes, () => `,"note":"\u4e2d${times('x', 1_000_000)}"`),
  escapes: (bytes) => records(bytes, () => `,"note":"${times('\\u0000\\ud800\\"', 900_000)}"`),
  'great numbers': (bytes) => records(bytes, () => `,"x":[${filled(90_000, () => '1e131071')}]`),
  'repeated keys': (bytes) => record('t', `,"x":{${times('"a":1,', bytes)}"a":1}`),
  'small records': (bytes) => records(bytes, () => `,"note":"${times('x', 400)}"`),
  // No more than an answer may hold.
  'empty records': (bytes) => [...Array(Math.min(99_999, Math.floor(bytes / 500))).fill('{}'), record('t')],
  'surrogate pairs': (bytes) => records(bytes, () => `,"note":"${times('\u{1f511}', 100_000)}"`),
  'names in other scripts': (bytes) =>
    records(bytes, (index) => `,"x":{${filled(10_000, (name) => `"\u00e9\u4e2d${index}-${name}":null`)}}`),
};

export type Answers = (url: string | undefined) => Buffer;

/** What a service answers whose list has the shape and about so many bytes; it ignores the limit. */
export const hostileShapes: Readonly<Record<string, (bytes: number) => Answers>> = Object.fromEntries(
  Object.entries(shapes).map(([name, make]) => [name, (bytes) => answersOf([make(bytes)].flat())]),
);

function answersOf(elements: readonly string[]): Answers {
  const from = (offset: number) => Buffer.from(`{"transactions":[${elements.slice(offset)}]}`);
  const whole = from(0);
  return (url = '') => {
    const offset = Number(new URL(url, 'http://service').searchParams.get('offset') ?? 0);
    return offset === 0 ? whole : from(offset);
  };
}
