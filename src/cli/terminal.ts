// What commands print with: numbers and durations for people, and one line on a terminal that is written over.

export interface LiveLine {
  /** Writes the line over the last one. */
  show(text: string): void;
  /** Takes the line away. */
  clear(): void;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** On anything but a terminal nothing is shown. */
export function createLiveLine(output: Output): LiveLine {
  let shown = false;
  return {
    show(text) {
      if (!output.isTTY) return;
      output.write(`\r\u001b[2K${text.slice(0, Math.max(20, (output.columns || 100) - 1))}`);
      shown = true;
    },
    clear() {
      if (shown) output.write('\r\u001b[2K');
      shown = false;
    },
  };
}

export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${value.toLocaleString('en-US')} ${value === 1 ? singular : plural}`;
}

export function seconds(value: number): string {
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value).toLocaleString('en-US')} s`;
}
