// A list as a spreadsheet file (.xlsx). A number or a date stands in a cell only where the float of the
// spreadsheet says exactly the same; everything else is text, which is never a formula.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Cell, Sheet } from 'write-excel-file/node';
import { beginsFormula, type ColumnKind, kindOf } from '../../store/read-api/list/columns.ts';
import type { Listing, Selection } from '../../store/read-api/list/listing.ts';
import type { CellRow } from '../../store/read-api/list/read-page.ts';

/** A spreadsheet shows no more digits of a number; a float always keeps this many. */
const mostDigits = 15;
/** Formats of cells have no more decimals. */
const mostDecimals = 30;
const longestText = 32_767;
const dayMicros = 86_400_000_000;
/** Days from the day 0 of spreadsheets to 1970. */
const epochDay = 25_569;

const widths: Partial<Record<ColumnKind, number>> = { moment: 26, day: 12, amount: 22, boolean: 8 };

export async function writeXlsx(
  listing: Listing,
  { account, at, filters, order }: Selection,
  rows: readonly CellRow[],
  { readAt, signal }: { readonly readAt: string; readonly signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  // An earlier abort wakes no listener, and nothing would stop the thread.
  signal.throwIfAborted();
  const kinds = Object.keys(listing.columns).map((name) => kindOf(listing.columns, name));
  const header = Object.keys(listing.columns).map((name, index): Cell => {
    return { value: kinds[index] === 'moment' ? `${name} (UTC)` : name, fontWeight: 'bold' };
  });
  const about = [
    ['Account', account],
    ...Object.entries(filters).map(([name, value]) => [`Filter ${name}`, value]),
    ['Order', order],
    ['As of', at ?? readAt],
    ['Made', readAt],
    ['Rows', String(rows.length)],
    ['Times', 'In UTC.'],
    ['Numbers', `An amount of more than ${mostDigits} digits is text: a spreadsheet would round it.`],
  ];
  return await writeSheets(
    [
      {
        sheet: listing.name.slice(0, 31),
        stickyRowsCount: 1,
        columns: kinds.map((kind) => ({ width: widths[kind] ?? 20 })),
        data: [
          header,
          ...rows.map((cells) => cells.map((text, index) => cellOf(kinds[index] ?? 'text', text))),
        ],
      },
      {
        sheet: 'About',
        columns: [{ width: 20 }, { width: 80 }],
        data: about.map(([name, value = '']) => [textCell(name ?? ''), textCell(value)]),
      },
    ],
    signal,
  );
}

function cellOf(kind: ColumnKind, text: string | null): Cell {
  if (text === null) return null;
  switch (kind) {
    case 'amount':
    case 'integer':
    case 'seconds':
      return numberCell(text);
    case 'boolean':
      return text === 'true';
    case 'moment':
    case 'day':
      return dateCell(text);
    default:
      return textCell(text);
  }
}

/** @param text a decimal without exponent; its decimals are shown, zeros included */
export function numberCell(text: string): Cell {
  const [, decimals = ''] = text.split('.');
  // The lookbehind keeps the time linear in a text of very many zeros.
  const significant = text.replaceAll(/[-.]/g, '').replaceAll(/^0+|(?<!0)0+$/g, '');
  const value = Number(text);
  // Near the ends of its range a float has fewer digits.
  const isInRange = significant === '' || (Math.abs(value) > 1e-300 && Math.abs(value) < 1e300);
  if (significant.length > mostDigits || decimals.length > mostDecimals || !isInRange)
    return { value: text, format: '@', align: 'right' };
  return { value, format: decimals === '' ? '#,##0' : `#,##0.${'0'.repeat(decimals.length)}` };
}

/** @param text a moment in UTC with six decimals, or a day */
export function dateCell(text: string): Cell {
  const [date = '', time] = text.split('T');
  const [hours = 0, minutes = 0, seconds = 0] = time?.slice(0, -1).split(':').map(Number) ?? [];
  const day = Date.parse(date) / 86_400_000 + epochDay;
  const micros = Math.round(((hours * 60 + minutes) * 60 + seconds) * 1_000_000);
  const value = day + micros / dayMicros;
  // Spreadsheets have no days before 1900 and after 9999, and count a 29 February 1900.
  const isHeld = /^\d{4}-/.test(date) && day > 60 && Math.round((value - day) * dayMicros) === micros;
  if (!isHeld) return textCell(text);
  return { value, format: time === undefined ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss.000' };
}

/** Text that looks like a formula stays text when somebody edits the cell. */
function textCell(text: string): Cell {
  const cut = `… (cut: ${text.length} characters)`;
  const whole = text.length <= longestText ? text : `${text.slice(0, longestText - cut.length)}${cut}`;
  const value = escaped(whole);
  return beginsFormula(whole) ? { value, format: '@' } : value;
}

/**
 * Characters that XML cannot hold, or that the package drops, as spreadsheets write them; and texts that the
 * package takes for members of every object.
 */
function escaped(text: string): string {
  const written = text.replaceAll(
    /_(?=x[\da-f]{4}_)|(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}|\uFFFD/giu,
    unitsOf,
  );
  return written in Object.prototype ? `${unitsOf(written.charAt(0))}${written.slice(1)}` : written;
}

function unitsOf(found: string): string {
  const units = Array.from({ length: found.length }, (_, index) => found.charCodeAt(index));
  return units.map((unit) => `_x${unit.toString(16).toUpperCase().padStart(4, '0')}_`).join('');
}

const writer = `
  const { parentPort, workerData } = require('node:worker_threads');
  require(workerData.path).default(workerData.sheets).toBuffer().then((file) => parentPort.postMessage(file));`;

/** In a thread of its own: for as long as the package writes, nothing else would be answered here. */
async function writeSheets(sheets: Sheet<never>[], signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const path = createRequire(import.meta.url).resolve('write-excel-file/node');
  const worker = new Worker(writer, { eval: true, workerData: { path, sheets } });
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the file was not written')));
    });
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
