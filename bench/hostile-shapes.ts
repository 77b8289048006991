// Answers of the service that are well-formed and as dear as they can be made: each shape in a length.

const record = (id: string, more = '') =>
  `{"transaction_id":"${id}","status":"completed","timestamp":"2026-01-01T00:00:00Z","transaction":{"transaction_type":"deposit","asset_id":"BTC","network_id":"BTC","amount":"1.5","fee":"0","source":{},"destination":{}}${more}}`;

/** As many as fit, each with its number. */
function filled(bytes: number, separator: string, make: (index: number) => string): string {
  const parts: string[] = [];
  for (let index = 0, length = 0; length < bytes; index += 1) {
    const part = make(index);
    parts.push(part);
    length += part.length + separator.length;
  }
  return parts.join(separator);
}

const times = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
const records = (bytes: number, more: (index: number) => string) =>
  filled(bytes, ',', (index) => record(`t-${index}`, more(index)));

/** The elements of the list, in about so many bytes. */
export const hostileShapes: Readonly<Record<string, (bytes: number) => string>> = {
  'deep nesting': (bytes) => record('t', `,"x":${times('[', bytes / 2)}${times(']', bytes / 2)}`),
  'nesting within the budget': (bytes) => records(bytes, () => `,"x":${'['.repeat(90)}${']'.repeat(90)}`),
  'empty arrays': (bytes) => record('t', `,"x":[${times('[],', bytes)}[]]`),
  'many members': (bytes) => record('t', `,"x":{${filled(bytes, ',', (index) => `"m${index}":1`)}}`),
  'members within the budget': (bytes) =>
    records(bytes, () => `,"x":{${filled(100_000, ',', (index) => `"m${index}":[]`)}}`),
  'one text': (bytes) => record('t', `,"note":"${times('x', bytes)}"`),
  'texts within the budget': (bytes) => records(bytes, () => `,"note":"${times('x', 1_000_000)}"`),
  escapes: (bytes) => records(bytes, () => `,"note":"${times('\\u0000\\ud800\\"', 900_000)}"`),
  'great numbers': (bytes) => records(bytes, () => `,"x":[${filled(90_000, ',', () => '1e131071')}]`),
  'repeated keys': (bytes) => record('t', `,"x":{${times('"a":1,', bytes)}"a":1}`),
  'small records': (bytes) => records(bytes, () => ''),
  'empty records': (bytes) => times('{},', Math.min(bytes, 550_000)) + record('t'),
  'surrogate pairs': (bytes) => records(bytes, () => `,"note":"${times('\u{1f511}', 100_000)}"`),
  'names in other scripts': (bytes) =>
    records(
      bytes,
      (index) => `,"x":{${filled(10_000, ',', (name) => `"\u00e9\u4e2d${index}-${name}":null`)}}`,
    ),
};
