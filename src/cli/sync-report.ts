// What `sync` tells: how far it is while it runs, and in the end one line a resource of what became of it.
import { sweepInWords } from '../domain/coverage.ts';
import { failureInWords } from '../store/status-words.ts';
import type { Progress } from '../sync/context.ts';
import type { JobOutcome } from '../sync/job.ts';
import { count, seconds } from './terminal.ts';

/** One line over all jobs for a terminal. */
export function progressLine(jobs: Iterable<Progress>, elapsedSeconds: number): string {
  const all = [...jobs];
  const parts = all.map((job) => `${job.job} ${job.records.toLocaleString('en-US')}`);
  const sum = (pick: (job: Progress) => number) => all.reduce((total, job) => total + pick(job), 0);
  const rate =
    elapsedSeconds > 0.5
      ? `${Math.round(sum((job) => job.records) / elapsedSeconds).toLocaleString('en-US')} records/s`
      : null;
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
  if (outcome.status !== 'succeeded') return `${outcome.status}: ${failureInWords(outcome)}`;
  const { inserted, changed, quarantined, verified, attempts } = outcome;
  const after = attempts > 1 ? `after ${attempts} sweeps ` : '';
  const found = [
    ...(inserted > 0 ? [`${inserted.toLocaleString('en-US')} new`] : []),
    ...(changed > 0 ? [`${changed.toLocaleString('en-US')} changed`] : []),
    ...(inserted + changed === 0 ? ['nothing new'] : []),
    ...(quarantined > 0 ? [`${quarantined.toLocaleString('en-US')} quarantined`] : []),
    ...(verified === null ? [] : [`${after}${sweepInWords({ ...outcome, verified })}`]),
  ];
  const effort = [
    `${count(outcome.records, 'record')} read`,
    count(outcome.requests, 'request'),
    seconds(outcome.seconds),
  ];
  return `${found.join(', ')} (${effort.join(', ')})`;
}

/** What to mend, where the outcomes show something that the person who started the command can mend. */
export function mendText(outcomes: readonly JobOutcome[]): string | null {
  const rejected = outcomes.filter((outcome) => outcome.keyRejected).map(({ job }) => job);
  if (rejected.length === 0) return null;
  if (rejected.length < outcomes.length)
    return [
      `The custody service rejected the key for ${rejected.join(' and ')} alone. Give the key of CUSTODY_API_KEY a role that`,
      'reaches that too (the viewer role is promised transactions and balances), or leave out of CUSTODY_RESOURCES what',
      'it cannot reach.',
    ].join('\n');
  return [
    'The custody service rejected the key. Check that CUSTODY_API_KEY (or the file that CUSTODY_API_KEY_FILE names) is',
    'the key of this account, that it has the viewer role, and that the service takes it in the header that',
    'CUSTODY_API_KEY_HEADER and CUSTODY_API_KEY_PREFIX describe.',
  ].join('\n');
}

/** The whole cycle in one line, for logs and scripts. */
export function summaryLine(outcomes: readonly JobOutcome[]): string {
  return outcomes.map((outcome) => `${outcome.job}: ${outcomeText(outcome)}`).join(' | ');
}
