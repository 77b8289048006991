// What a check of `doctor` comes to, and how a list of them looks on a terminal. Nothing is said by colour alone.
import { onOneLine } from '../domain/words.ts';
import { layOut, paint, type Row } from './text-layout.ts';

export interface Finding {
  /** `note` is worth knowing and breaks nothing; `bad` keeps the mirror from working, or from being trusted. */
  readonly verdict: 'ok' | 'note' | 'bad';
  readonly subject: string;
  /** What was found. */
  readonly result: string;
  /** What to do about it. */
  readonly mend?: string;
}

export interface FindingGroup {
  readonly title: string;
  readonly findings: readonly Finding[];
}

const words = { ok: 'ok', note: 'note', bad: 'FAULT' } as const;
const tones = { ok: 'good', note: 'note', bad: 'bad' } as const;

/** The groups as text that ends with a line break. */
export function renderFindings(groups: readonly FindingGroup[], width: number, color: boolean): string {
  const sections = groups
    .filter(({ findings }) => findings.length > 0)
    .map(({ title, findings }) => {
      const rows: Row[] = findings.map(({ verdict, subject, result, mend }) => ({
        cells: [
          { text: words[verdict], tone: tones[verdict] },
          { text: onOneLine(subject), tone: 'plain' },
          { text: onOneLine(mend === undefined ? result : `${result}; ${mend}`), tone: 'plain' },
        ],
      }));
      const lines = layOut(rows, Math.max(40, width) - 2, color).map((line) => `  ${line}`.trimEnd());
      return [paint(title, 'strong', color), ...lines].join('\n');
    });
  return `${sections.join('\n\n')}\n`;
}
