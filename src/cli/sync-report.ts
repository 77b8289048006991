// What `sync` tells: how far it is while it runs, and in the end one line a resource of what became of it.
import type { Progress } from '../sync/context.ts';
import type { JobOutcome } from '../sync/job.ts';
import { count, seconds } from './terminal.ts';

/** One line over all jobs for a terminal. */
export function progressLine(jobs: Iterable<Progress>, elapsedSeconds: number): string {
  const all = [...jobs];
  const parts = all.map((job) => `${job.job} ${job.records.toLocaleString('en-US')}`);
  const sum = (pick: (job: Progress) => number) => all.reduce((total, job) => total + pick(job), 0);
  const rate =
    elapsedSeconds > 0.5 ? `${Math.round(sum((job) => job.records) / elapsedSeconds)} records/s` : null;
  const retries = sum((job) => job.retries);
  const quarantined = sum((job) => job.quarantined);
  return [
    ...parts,
    count(
      sum((job) => job.requests),
      'request',
    ),
    ...(rate === null ? [] : [rate]),
    ...(retries === 0 ? [] : [count(retries, 'retry', 'retries')]),
    ...(quarantined === 0 ? [] : [`${quarantined} quarantined`]),
  ].join(' · ');
}

/** What became of one job, without its name. */
export function outcomeText(outcome: JobOutcome): string {
  if (outcome.status !== 'succeeded')
    return `${outcome.status}: ${outcome.errorMessage} (${outcome.errorCode})`;
  const { inserted, changed, quarantined, verified, doubts } = outcome;
  const changes =
    inserted + changed === 0
      ? ['nothing new']
      : [
          ...(inserted > 0 ? [`${inserted.toLocaleString('en-US')} new`] : []),
          ...(changed > 0 ? [`${changed.toLocaleString('en-US')} changed`] : []),
        ];
  return [
    count(outcome.records, 'record'),
    ...changes,
    ...(quarantined > 0 ? [`${quarantined} quarantined`] : []),
    ...(verified === true ? ['verified'] : []),
    ...(verified === false ? [`not verified: ${doubts.join('; ')}`] : []),
    `${count(outcome.requests, 'request')} in ${seconds(outcome.seconds)}`,
  ].join(', ');
}

/** The whole cycle in one line, for logs and scripts. */
export function summaryLine(outcomes: readonly JobOutcome[]): string {
  return outcomes.map((outcome) => `${outcome.job}: ${outcomeText(outcome)}`).join(' | ');
}
