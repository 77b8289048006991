// Keeps the gauges of what accounts do, for alerts. They are read when metrics are asked for, one statement
// after the other, each at most once a minute and for at most a fiftieth of the time: the reconciliation of a
// large account takes seconds.
import type { Gauge } from 'prom-client';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { shareWork } from '../base/waiting.ts';
import {
  type FigureName,
  type FigureQuestion,
  type FigureRow,
  figureNames,
} from '../store/job-queries/account-figures.ts';

export interface FigureSource {
  /** The accounts that this process reports on. */
  readonly accounts: () => Promise<readonly string[]>;
  readonly readFigure: (question: FigureQuestion) => Promise<readonly FigureRow[]>;
}

interface AccountFiguresOptions extends FigureSource {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly monotonicMs?: () => number;
}

const everyMs = 60_000;
const leastPause = 50;

/**
 * @returns reads what is due. What could not be read has no series until it can. It rejects when the accounts
 * cannot be read.
 */
export function createAccountFigures(options: AccountFiguresOptions): () => Promise<void> {
  const { accounts, readFigure, metrics, logger, signal } = options;
  const { monotonicMs: now = () => performance.now() } = options;
  const due = new Map<FigureName, number>();
  const failing = new Set<string>();

  const rowsOf = async (name: FigureName, account: string): Promise<readonly FigureRow[]> => {
    const which = `${name} of ${account}`;
    try {
      const rows = await readFigure({ name, account, signal });
      failing.delete(which);
      return rows.map(({ labels, value }) => ({ labels: { ...labels, account }, value }));
    } catch (error) {
      // Logged once, as long as it fails.
      const level = failing.has(which) || signal.aborted ? 'debug' : 'warn';
      logger[level]({ err: error, account, figure: name }, 'reading a figure for alerts failed');
      failing.add(which);
      return [];
    }
  };
  const readDue = async () => {
    const names = figureNames.filter((name) => now() >= (due.get(name) ?? 0));
    const known = names.length > 0 ? await accounts() : [];
    for (const name of names) {
      const began = now();
      const rows: FigureRow[] = [];
      for (const account of known) if (!signal.aborted) rows.push(...(await rowsOf(name, account)));
      metrics[name].reset();
      for (const { labels, value } of rows) (metrics[name] as Gauge).set({ ...labels }, value);
      due.set(name, now() + Math.max(everyMs, leastPause * (now() - began)));
    }
  };
  return shareWork(readDue);
}
