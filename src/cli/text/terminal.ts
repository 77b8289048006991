// Durations for people, and one line on a terminal that is written again in its place.
import { grouped } from '../../domain/words.ts';

/** Between the parts of a line. */
const separator = ' · ';

export interface LiveLine {
  /** Writes the line over the last one. */
  show(text: string): void;
  /** Removes the line. */
  clear(): void;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Whether text may be coloured: on a terminal, unless NO_COLOR holds anything (no-color.org). */
export function hasColor({
  isTerminal,
  env,
}: {
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}): boolean {
  return isTerminal && (env['NO_COLOR'] ?? '') === '';
}

/** Shows nothing where there is no terminal. */
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

/** Parts are shown whole or not at all, so that no number is cut: dots stand for those that do not fit. */
export function fitted(text: string, width: number): string {
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
