// Text on a terminal: one line that is rewritten in place, and aligned columns: every column as wide as its
// widest cell, the last one wrapped to the remaining width. Widths exclude colour codes.
import type { ConfigSources } from '../../base/config/reader.ts';
import type { Output } from '../../base/output.ts';
import { grouped } from '../../domain/words.ts';

/** Between the parts of a line. */
const separator = ' · ';

export interface LiveLine {
  /** Writes the line over the last one. */
  show(text: string): void;
  /** Removes the line. */
  clear(): void;
}

/** Text is coloured on a terminal, unless NO_COLOR holds anything (no-color.org). @param width of none */
export function penOf({ isTerminal, env, stdout }: PenSources, width = 100): Pen {
  return { color: isTerminal && (env['NO_COLOR'] ?? '') === '', width: stdout.columns ?? width };
}

interface PenSources extends ConfigSources {
  readonly stdout: Pick<Output, 'columns'>;
}

/** Shows nothing without a terminal. */
export function createLiveLine(output: Output): LiveLine {
  let shown = false;
  return {
    show(text) {
      if (!output.isTTY) return;
      output.write(`\r\u001b[2K${fitted(text, Math.max(20, (output.columns || 100) - 1))}`);
      shown = true;
    },
    clear() {
      if (shown) output.write('\r\u001b[2K');
      shown = false;
    },
  };
}

/**
 * Parts are shown whole or not at all, so that no number is truncated; an ellipsis replaces those that do not
 * fit.
 */
function fitted(text: string, width: number): string {
  if (text.length <= width) return text;
  const between = text.includes(separator) ? separator : ' ';
  const more = `${between}…`;
  let kept = '';
  for (const part of text.split(between)) {
    const longer = kept === '' ? part : `${kept}${between}${part}`;
    if (longer.length + more.length > width) break;
    kept = longer;
  }
  return kept === '' ? '…' : kept + more;
}

export function seconds(value: number): string {
  return value < 10 ? `${value.toFixed(1)} s` : `${grouped(Math.round(value))} s`;
}

export interface Cell {
  readonly text: string;
  readonly tone: Tone;
  /** Right-aligned, for numbers. */
  readonly right?: boolean;
}

/** Cells side by side, and texts below them, each on separate lines. */
export interface Row {
  readonly cells: readonly Cell[];
  readonly beneath?: readonly string[];
}

/** Colour is for terminals and never carries meaning alone. The width is in columns. */
export interface Pen {
  readonly color: boolean;
  readonly width: number;
}

export function plain(text: string): Cell {
  return { text, tone: 'plain' };
}

/** The row above columns. */
export function headings(titles: readonly string[]): Row {
  return { cells: titles.map((text) => ({ text, tone: 'faint' })) };
}

type Tone = 'plain' | 'good' | 'note' | 'bad' | 'strong' | 'faint';

const codes: Readonly<Record<Exclude<Tone, 'plain'>, string>> = {
  good: '32',
  note: '33',
  bad: '31',
  strong: '1',
  faint: '2',
};
/** If the last column would be narrower than this, the cells of a row flow over several lines. */
const leastWidth = 24;
const gap = '  ';
const indent = '  ';

export function paint(text: string, tone: Tone, color: boolean): string {
  return color && tone !== 'plain' && text !== '' ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text;
}

/** Lines of at most the width, broken between words; a longer word gets its own line, unbroken. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

export function layOut(rows: readonly Row[], width: number, color: boolean): string[] {
  const columns = Math.max(0, ...rows.map(({ cells }) => cells.length - 1));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map(({ cells }) => cells.slice(0, -1)[column]?.text.length ?? 0)),
  );
  return rows.flatMap(({ cells, beneath = [] }) => [
    ...layOutCells(cells, widths, width, color),
    ...beneath.flatMap((text) => wrap(text, width - indent.length).map((line) => indent + line)),
  ]);
}

function layOutCells(
  cells: readonly Cell[],
  widths: readonly number[],
  width: number,
  color: boolean,
): string[] {
  const last = cells.at(-1);
  if (last === undefined) return [];
  const before = cells.slice(0, -1);
  const start = before.reduce((sum, _, column) => sum + (widths[column] ?? 0) + gap.length, 0);
  if (start > 0 && width - start < leastWidth) return stack(cells, width, color);
  const painted = before.map((cell, column) => aligned(cell, widths[column] ?? 0, color) + gap).join('');
  return wrap(last.text, width - start).map(
    (line, index) => (index === 0 ? painted : ' '.repeat(start)) + paint(line, last.tone, color),
  );
}

/** As many cells on a line as fit, broken between words only; lines after the first are indented. */
function stack(cells: readonly Cell[], width: number, color: boolean): string[] {
  const lines: { text: string; length: number }[] = [];
  for (const { text, tone } of cells.filter((cell) => cell.text !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + gap.length + text.length <= width) {
      last.text += gap + paint(text, tone, color);
      last.length += gap.length + text.length;
      continue;
    }
    const space = last === undefined ? '' : indent;
    for (const line of wrap(text, width - space.length))
      lines.push({ text: space + paint(line, tone, color), length: space.length + line.length });
  }
  return lines.map((line) => line.text);
}

function aligned({ text, tone, right }: Cell, width: number, color: boolean): string {
  const space = ' '.repeat(Math.max(0, width - text.length));
  const painted = paint(text, tone, color);
  return right ? space + painted : painted + space;
}
