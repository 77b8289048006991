// Trouble while a person watches a command: each kind once, in one line with a fix, above the progress line.
// Reads the log's JSON and decides by its codes.
import type { DestinationStream } from 'pino';
import { z } from 'zod';
import type { Output } from '../../base/output.ts';
import { fixForCode } from '../../domain/error-codes.ts';
import { lengthInWords, onOneLine } from '../../domain/words.ts';
import type { LiveLine } from './terminal.ts';
import { wrap } from './terminal.ts';

const entrySchema = z.looseObject({
  level: z.string(),
  msg: z.string().default(''),
  code: z.string().optional(),
  reason: z.string().optional(),
  faults: z.number().default(0),
  job: z.string().optional(),
  records: z.number().optional(),
  err: z.looseObject({ code: z.string().optional(), message: z.string().default('') }).optional(),
});

/** Faults of one kind before they are worth a line: a single one is often gone at the next attempt. */
const faultsWorthTelling = 2;
const seriousLevels: readonly string[] = ['warn', 'error', 'fatal'];

export interface TroubleOptions {
  readonly line: LiveLine;
  readonly output: Output;
  /** The longest time for which a request is tried, in milliseconds. */
  readonly triesForMs: number;
}

export function createTroubleLines({ line, output, triesForMs }: TroubleOptions): DestinationStream {
  const told = new Set<string>();
  const tell = (key: string, text: string) => {
    if (told.has(key)) return;
    told.add(key);
    line.clear();
    const width = output.columns || Number.POSITIVE_INFINITY;
    output.write(`${wrap(onOneLine(text), width).join('\n')}\n`);
  };
  const write = (text: string) => {
    const parsed = entrySchema.safeParse(asJson(text));
    if (!parsed.success) return;
    const { level, msg, code, reason, faults, err, job, records } = parsed.data;
    if (faults > 0) {
      if (faults < faultsWorthTelling) return;
      const fix = fixForCode(code ?? '') ?? 'custody-mirror doctor checks its prerequisites';
      return tell(
        `repeated ${code}`,
        `${reason ?? code}. Trying again for up to ${lengthInWords(triesForMs)}; ${fix}.`,
      );
    }
    if (!seriousLevels.includes(level)) return;
    // The end of a failed run: the summary tells it.
    if (level === 'error' && job !== undefined && records !== undefined) return;
    const why = reason ?? err?.message;
    tell(`${msg} ${code ?? err?.code ?? ''}`, why === undefined ? msg : `${msg}: ${why}`);
  };
  return { write };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
