// What `sync` prints: its progress, and at the end one line per resource.
import { sweepInWords } from '../../domain/doubts.ts';
import { fixForCode } from '../../domain/error-codes.ts';
import { promisedResources } from '../../domain/jobs.ts';
import { counted, grouped, lengthInWords, listed, onOneLine } from '../../domain/words.ts';
import { failureInWords } from '../../status/words.ts';
import type { Progress } from '../../sync/run/context.ts';
import type { JobOutcome } from '../../sync/run/run-job.ts';
import { seconds, wrap } from './terminal.ts';

/** One line over all jobs for a terminal. */
export function progressLine(jobs: Iterable<Progress>, elapsedSeconds: number): string {
  const all = [...jobs];
  const parts = all.map((job) => `${job.job} ${grouped(job.records)}`);
  const sum = (pick: (job: Progress) => number) => all.reduce((total, job) => total + pick(job), 0);
  const rate =
    elapsedSeconds > 0.5
      ? `${grouped(Math.round(sum((job) => job.records) / elapsedSeconds))} records/s`
      : null;
  const retries = sum((job) => job.retries);
  const quarantined = sum((job) => job.quarantined);
  return [
    ...parts,
    counted(
      sum((job) => job.requests),
      'request',
    ),
    ...(rate === null ? [] : [rate]),
    ...(retries === 0 ? [] : [counted(retries, 'retry', 'retries')]),
    ...(quarantined === 0 ? [] : [`${quarantined} quarantined`]),
  ].join(' · ');
}

/** Whom the command asked, and how long it waits for an answer. */
export function waitingLine(heldBy: string, leftMs: number): string {
  return `asked ${onOneLine(heldBy)}, which writes for this account · waiting at most ${lengthInWords(leftMs)}`;
}

/** The outcome of one job, without its name. */
export function outcomeText(outcome: JobOutcome): string {
  if (outcome.status !== 'succeeded') return `${outcome.status}: ${failureInWords(outcome)}`;
  const { inserted, changed, quarantined, verified, attempts } = outcome;
  const after = attempts > 1 ? `after ${attempts} sweeps ` : '';
  const found = [
    ...(inserted > 0 ? [`${grouped(inserted)} new`] : []),
    ...(changed > 0 ? [`${grouped(changed)} changed`] : []),
    ...(inserted + changed === 0 ? ['nothing new'] : []),
    ...(quarantined > 0 ? [`${grouped(quarantined)} quarantined`] : []),
    ...(verified === null ? [] : [`${after}${sweepInWords({ ...outcome, verified })}`]),
  ];
  const effort = [
    `${counted(outcome.records, 'record')} read`,
    counted(outcome.requests, 'request'),
    seconds(outcome.seconds),
  ];
  return `${found.join(', ')} (${effort.join(', ')})`;
}

/** One paragraph for each resource, wrapped to the terminal's width. A shared failure is explained once. */
export function outcomeLines(outcomes: readonly JobOutcome[], width: number): string[] {
  const explained = new Set<string | null>();
  return outcomes.flatMap((outcome) => {
    const isAgain = outcome.status === 'failed' && explained.has(outcome.errorCode);
    if (outcome.status === 'failed') explained.add(outcome.errorCode);
    const text = isAgain ? `also failed (${outcome.errorCode ?? 'UNEXPECTED'})` : outcomeText(outcome);
    return wrap(text, width - nameWidth).map(
      (line, index) => `${(index === 0 ? outcome.job : '').padEnd(nameWidth)}${line}`,
    );
  });
}

const nameWidth = 13;

/** What the user can do about failures: a paragraph each. */
export function fixesFor(outcomes: readonly JobOutcome[]): readonly string[] {
  const codes = new Set(
    outcomes.flatMap(({ errorCode, keyRejected }) => (keyRejected ? [] : [errorCode ?? ''])),
  );
  const fixes = [...codes].flatMap((code) => {
    const fix = fixForCode(code);
    return fix === null ? [] : [`${code}: ${fix}.`];
  });
  const rejected = outcomes.filter((outcome) => outcome.keyRejected).map(({ job }) => job);
  if (rejected.length === 0) return fixes;
  if (rejected.length < outcomes.length)
    return [
      ...fixes,
      `The custody service rejected the key for ${rejected.join(' and ')} alone. Give the key of CUSTODY_API_KEY a role that reaches that too (the viewer role is promised ${listed(promisedResources)}), or leave out of CUSTODY_RESOURCES what it cannot reach.`,
    ];
  return [
    'The custody service rejected the key. Check that CUSTODY_API_KEY (or the file that CUSTODY_API_KEY_FILE names) is the key of this account, that it has the viewer role, and that the service takes it in the header that CUSTODY_API_KEY_HEADER and CUSTODY_API_KEY_PREFIX describe.',
  ];
}

/** The whole cycle in one line, for logs and scripts. */
export function summaryLine(outcomes: readonly JobOutcome[]): string {
  return outcomes.map((outcome) => `${outcome.job}: ${outcomeText(outcome)}`).join(' | ');
}
