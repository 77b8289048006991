// Reads a spreadsheet file without the package that writes it: the zip, its XML, and the values of cells as
// ECMA-376 has them.
import { inflateRawSync } from 'node:zlib';

export interface SheetCell {
  readonly value: string | number | boolean;
  /** The code of its format. */
  readonly format: string;
  readonly isFormula: boolean;
}

/** By address, such as `B2`. */
export type ReadSheet = ReadonlyMap<string, SheetCell>;

export interface ReadBook {
  /** In their order. */
  readonly sheets: readonly { readonly name: string; readonly cells: ReadSheet; readonly xml: string }[];
  readonly styles: string;
}

export function readBook(file: Buffer): ReadBook {
  const files = unzip(file);
  const part = (name: string) => files.get(name) ?? '';
  const shared = all(part('xl/sharedStrings.xml'), /<si><t[^>]*>([\s\S]*?)<\/t><\/si>/g).map(([, text]) =>
    textOf(text ?? ''),
  );
  const styles = part('xl/styles.xml');
  const codes = new Map(
    all(styles, /<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g).map(([, id, code]) => [
      id,
      textOf(code ?? ''),
    ]),
  );
  const [, cellStyles = ''] = /<cellXfs[^>]*>([\s\S]*)<\/cellXfs>/.exec(styles) ?? [];
  const formats = all(cellStyles, /<xf ([^>]*)>/g).map(
    ([, found]) => codes.get(/numFmtId="(\d+)"/.exec(found ?? '')?.[1]) ?? '',
  );
  const names = all(part('xl/workbook.xml'), /<sheet [^>]*name="([^"]*)"/g).map(([, name]) =>
    textOf(name ?? ''),
  );
  return {
    sheets: names.map((name, index) => {
      const xml = part(`xl/worksheets/sheet${index + 1}.xml`);
      return { name, xml, cells: cellsOf(xml, shared, formats) };
    }),
    styles,
  };
}

function cellsOf(xml: string, shared: readonly string[], formats: readonly string[]): ReadSheet {
  return new Map(
    all(xml, /<c ([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g).flatMap(([, attributes = '', inner = '']) => {
      const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
      const [, text] = /<v>([\s\S]*)<\/v>/.exec(inner) ?? [];
      if (text === undefined) return [];
      const type = attribute('t');
      const value = type === 's' ? (shared[Number(text)] ?? '') : type === 'b' ? text === '1' : Number(text);
      const format = formats[Number(attribute('s') ?? 0)] ?? '';
      return [[attribute('r') ?? '', { value, format, isFormula: inner.includes('<f') }] as const];
    }),
  );
}

function all(text: string, form: RegExp): readonly RegExpExecArray[] {
  return [...text.matchAll(form)];
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** XML first, then the way in which spreadsheets write what XML cannot hold. */
function textOf(xml: string): string {
  return xml
    .replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole)
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, unit) => String.fromCharCode(Number.parseInt(unit, 16)));
}

/** By the directory at the end of the zip: the parts before it do not tell their sizes. */
function unzip(file: Buffer): ReadonlyMap<string, string> {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files = new Map<string, string>();
  let place = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, packed] = [file.readUInt16LE(place + 10), file.readUInt32LE(place + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => file.readUInt16LE(place + offset));
    const header = file.readUInt32LE(place + 42);
    const begin = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
    const bytes = file.subarray(begin, begin + packed);
    const path = file.toString('utf8', place + 46, place + 46 + (name ?? 0));
    files.set(path, (method === 0 ? bytes : inflateRawSync(bytes)).toString('utf8'));
    place += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

/** The decimal that the number says, without exponent and needless zeros. */
export function plainDecimal(value: number | string): string {
  const [mantissa = '', exponent = '0'] = String(value).toLowerCase().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = `${'0'.repeat(Math.max(0, -point))}${whole}${fraction}`;
  const at = Math.max(0, point);
  const before = digits.padEnd(at, '0').slice(0, at).replace(/^0+/, '') || '0';
  const after = digits.slice(at).replace(/0+$/, '');
  const found = after === '' ? before : `${before}.${after}`;
  return found === '0' ? found : `${sign}${found}`;
}

/** The moment that the number of days says, with microseconds; the day where the format shows no time. */
export function shownDate({ value, format }: SheetCell): string {
  const days = Math.floor(Number(value));
  const micros = Math.round((Number(value) - days) * 86_400_000_000);
  const date = new Date((days - 25_569) * 86_400_000).toISOString().slice(0, 10);
  if (!format.includes('h')) return date;
  const time = new Date(Math.floor(micros / 1_000_000) * 1_000).toISOString().slice(11, 19);
  return `${date}T${time}.${String(micros % 1_000_000).padStart(6, '0')}Z`;
}
