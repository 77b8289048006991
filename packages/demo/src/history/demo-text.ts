// What the demo prints: where the pages are, what to look at, and what was mirrored since.
import { resources } from '../../../../src/domain/jobs.ts';
import { counted } from '../../../../src/domain/words.ts';
import type { JobOutcome } from '../../../../src/sync/run/run-job.ts';
import type { Highlights } from './story.ts';

export interface DemoAddresses {
  readonly databaseUrl: string;
  readonly serviceUrl: string;
  readonly apiKey: string;
  readonly pageUrl: string;
}

/** The address is alone on the first line: terminals make a link of it. Without highlights it is empty. */
export function demoIntroduction(
  { databaseUrl, serviceUrl, apiKey, pageUrl }: DemoAddresses,
  highlights: Highlights | null,
): string {
  return `${pageUrl}

custody-mirror is running. The account${highlights === null ? ' is' : ', its 90 days of history and the prices are'} made up.
${highlights === null ? '' : sights(highlights)}
  SQL              psql '${databaseUrl}'
  read API         ${pageUrl}/api
  custody service  ${serviceUrl} (the sandbox; header x-api-key: ${apiKey})

Stop it with Ctrl-C.

`;
}

/** One line for each thing to look at. */
function sights({ stuck, offTheList, sentTwice, corrected }: Highlights): string {
  const lines = [
    ['/', 'holdings, their value, and items that need attention'],
    ['/balances', '90 days of balances, with a gap of a day: the service was out of reach'],
    ['/transactions', 'open and settled transactions; every few seconds something moves'],
    [`/transactions/${stuck}`, 'stuck for six days'],
    [`/transactions/${offTheList}`, 'payment to a non-whitelisted destination'],
    [`/transactions/${sentTwice}`, 'sent twice, revised while in progress'],
    [`/transactions/${corrected}`, 'corrected days after it was booked'],
    ['/documents', 'a vault renamed, a destination removed, another added'],
    ['/reconciliation', 'one LTC that no transaction explains'],
    ['/sync', 'a vault whose record cannot be read: until it can, status says "needs attention"'],
  ] as const;
  return `\n${lines.map(([path, what]) => `  ${path.padEnd(15)}  ${what}\n`).join('')}`;
}

/** One line on what was mirrored since the demo opened. */
export function demoSummary(totals: ReadonlyMap<string, JobOutcome>, elapsedSeconds: number): string {
  const parts = [
    `${Math.round(elapsedSeconds)} s`,
    ...resources.flatMap((job) => {
      const outcome = totals.get(job);
      if (outcome === undefined)
        return job === 'transactions' ? ['transactions: first sync in progress'] : [];
      return [`${job}: ${outcome.inserted} new, ${counted(outcome.changed, 'change')}`];
    }),
    ...[...totals.values()].flatMap((outcome) =>
      outcome.status === 'failed' ? [`${outcome.job} failed: ${outcome.errorCode}`] : [],
    ),
  ];
  return parts.join(' · ');
}

/** Adds the counts of a run to those of its job. */
export function accumulate(totals: Map<string, JobOutcome>, outcome: JobOutcome): void {
  const before = totals.get(outcome.job);
  totals.set(outcome.job, {
    ...outcome,
    inserted: outcome.inserted + (before?.inserted ?? 0),
    changed: outcome.changed + (before?.changed ?? 0),
  });
}
