// The findings of `doctor`, each printed as soon as it is known. Colour never carries meaning alone.
import { onOneLine } from '../../domain/words.ts';
import { type Pen, paint, wrap } from '../text/terminal.ts';

export interface Finding {
  /** `note` is harmless; `bad` keeps the mirror from working, or from being trusted. */
  readonly verdict: 'ok' | 'note' | 'bad';
  readonly subject: string;
  /** What was found. */
  readonly result: string;
  /** What to do about it. */
  readonly fix?: string;
}

export function ok(subject: string, result: string): Finding {
  return { verdict: 'ok', subject, result };
}

export function note(subject: string, result: string, fix?: string): Finding {
  return { verdict: 'note', subject, result, ...(fix === undefined ? {} : { fix }) };
}

export function bad(subject: string, result: string, fix?: string): Finding {
  return { ...note(subject, result, fix), verdict: 'bad' };
}

export interface FindingList {
  /** Starts a group; its findings follow. */
  begin(title: string): void;
  add(...findings: readonly Finding[]): void;
  /** How many were bad. */
  readonly faults: number;
}

const words = { ok: 'ok', note: 'note', bad: 'FAULT' } as const;
const tones = { ok: 'good', note: 'note', bad: 'bad' } as const;
const wordWidth = 5;
/** The width of most subjects; a longer one moves its result to the right. */
const subjectWidth = 22;
/** On a narrower terminal the result stands below its subject. */
const leastResultWidth = 36;

/** Writes whole lines. */
export function createFindingList(write: (text: string) => void, { width, color }: Pen): FindingList {
  let faults = 0;
  let isFirst = true;
  return {
    get faults() {
      return faults;
    },
    begin(title) {
      write(`${isFirst ? '' : '\n'}${paint(title, 'strong', color)}\n`);
      isFirst = false;
    },
    add(...findings) {
      for (const finding of findings) {
        if (finding.verdict === 'bad') faults += 1;
        write(`${lines(finding, Math.max(40, width), color).join('\n')}\n`);
      }
    },
  };
}

function lines({ verdict, subject, result, fix }: Finding, width: number, color: boolean): string[] {
  const name = onOneLine(subject);
  const text = onOneLine(fix === undefined ? result : `${result}; ${fix}`);
  const mark = paint(words[verdict], tones[verdict], color) + ' '.repeat(wordWidth - words[verdict].length);
  const head = `  ${mark}  ${name.padEnd(subjectWidth)}`;
  const start = 2 + wordWidth + 2 + Math.max(subjectWidth, name.length) + 2;
  if (width - start < leastResultWidth)
    return [head.trimEnd(), ...wrap(text, width - 4).map((line) => `    ${line}`)];
  return wrap(text, width - start).map((line, index) =>
    index === 0 ? `${head}  ${line}` : `${' '.repeat(start)}${line}`,
  );
}
