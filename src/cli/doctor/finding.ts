// The checks of `doctor`, and their findings, printed at once. Colour never carries meaning alone.
import { onOneLine } from '../../domain/words.ts';
import { type Pen, paint, wrap } from '../text/terminal.ts';

export interface Found {
  /** `note` is harmless; `bad` keeps the mirror from working, or from being trusted. */
  readonly verdict: 'ok' | 'note' | 'bad';
  readonly result: string;
  /** What to do about it. */
  readonly fix?: string | undefined;
  /** Replaces the subject of the check. */
  readonly subject?: string;
}

export type Findings = Found | readonly Found[] | null;

/** One row of a check: a subject, and the finding about it; null where there is nothing to say. */
export interface Check<Known> {
  readonly subject: string;
  readonly look: (known: Known) => Findings | Promise<Findings>;
}

export const ok = (result: string): Found => ({ verdict: 'ok', result });
export const note = (result: string, fix?: string): Found => ({ verdict: 'note', result, fix });
export const bad = (result: string, fix?: string): Found => ({ verdict: 'bad', result, fix });

export interface FindingList {
  /** Starts a group; its findings follow. */
  begin(title: string): void;
  add(subject: string, findings: Findings): void;
  /** Makes the checks in their order. @returns whether none of them found a fault */
  check<Known>(checks: readonly Check<Known>[], known: Known): Promise<boolean>;
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
  const list: FindingList = {
    get faults() {
      return faults;
    },
    begin(title) {
      write(`${isFirst ? '' : '\n'}${paint(title, 'strong', color)}\n`);
      isFirst = false;
    },
    add(subject, findings) {
      for (const found of [findings ?? []].flat()) {
        if (found.verdict === 'bad') faults += 1;
        write(`${lines({ subject, ...found }, Math.max(40, width), color).join('\n')}\n`);
      }
    },
    async check(checks, known) {
      const before = faults;
      for (const { subject, look } of checks) list.add(subject, await look(known));
      return faults === before;
    },
  };
  return list;
}

function lines(
  { verdict, subject, result, fix }: Found & { readonly subject: string },
  width: number,
  color: boolean,
): string[] {
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
