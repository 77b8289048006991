// `custody-mirror sync`: one full cycle now. Successful parts are kept if others fail.

import type { DestinationStream } from 'pino';
import { z } from 'zod';
import { type Config, parseConfig } from '../../base/config/config.ts';
import type { Logger } from '../../base/logger.ts';
import type { Output } from '../../base/output.ts';
import { sweepInWords } from '../../domain/doubts.ts';
import { fixForCode, MirrorError } from '../../domain/errors.ts';
import { promisedResources, type Resource } from '../../domain/jobs.ts';
import { counted, grouped, lengthInWords, listed, onOneLine } from '../../domain/words.ts';
import { expectedOfSync } from '../../scheduler/expected.ts';
import { sealHistory } from '../../seal/seal.ts';
import { failureInWords } from '../../status/words.ts';
import { saveTimeZone } from '../../store/run/accounts.ts';
import { saveExpectations } from '../../store/run/expectations.ts';
import { againWhileWaiting } from '../../sync/jobs/repeat-sweeps.ts';
import { runCycle } from '../../sync/jobs/runners.ts';
import type { Progress } from '../../sync/run/context.ts';
import type { JobOutcome } from '../../sync/run/run-job.ts';
import { doOrAsk } from '../setup/asking.ts';
import { type CommandContext, type ExitCode, exitCodes, withCommandScope } from '../setup/command-scope.ts';
import { composeTools, holderName } from '../setup/compose.ts';
import { sealingOf, warnOfExposedKey } from '../setup/verifying.ts';
import { createLiveLine, type LiveLine, seconds, wrap } from '../text/terminal.ts';

// What `sync` prints: its progress, and at the end one line per resource.

/** One line over all jobs for a terminal. */
export function progressLine(jobs: Iterable<Progress>, elapsedSeconds: number): string {
  const all = [...jobs];
  const parts = all.map((job) => `${job.job} ${grouped(job.records)}`);
  const sum = (pick: (job: Progress) => number) => all.reduce((total, job) => total + pick(job), 0);
  const rate =
    elapsedSeconds > 0.5
      ? `${grouped(Math.round(sum((job) => job.records) / elapsedSeconds))} records/s`
      : null;
  const requests = sum((job) => job.requests);
  const retries = sum((job) => job.retries);
  const quarantined = sum((job) => job.quarantined);
  return [
    ...parts,
    counted(requests, 'request'),
    ...(rate === null ? [] : [rate]),
    ...(retries === 0 ? [] : [counted(retries, 'retry', 'retries')]),
    ...(quarantined === 0 ? [] : [`${quarantined} quarantined`]),
  ].join(' · ');
}

/** Which process the command asked, and how long it waits for an answer. */
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

// Trouble while a person watches a command: one line per kind, with a fix, above the progress line. Reads the
// log's JSON and decides by its codes.

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

/** Faults of one kind before they get a line: a single one often disappears at the next attempt. */
const faultsWorthALine = 2;
const seriousLevels: readonly string[] = ['warn', 'error', 'fatal'];

export interface TroubleOptions {
  readonly line: LiveLine;
  readonly output: Output;
  /** The longest time for which a request is tried, in milliseconds. */
  readonly triesForMs: number;
}

export function createTroubleLines({ line, output, triesForMs }: TroubleOptions): DestinationStream {
  const shown = new Set<string>();
  const showOnce = (key: string, text: string) => {
    if (shown.has(key)) return;
    shown.add(key);
    line.clear();
    const width = output.columns || Number.POSITIVE_INFINITY;
    output.write(`${wrap(onOneLine(text), width).join('\n')}\n`);
  };
  const write = (text: string) => {
    const parsed = entrySchema.safeParse(asJson(text));
    if (!parsed.success) return;
    const { level, msg, code, reason, faults, err, job, records } = parsed.data;
    if (faults > 0) {
      if (faults < faultsWorthALine) return;
      const fix = fixForCode(code ?? '') ?? 'custody-mirror doctor checks what it needs';
      return showOnce(
        `repeated ${code}`,
        `${reason ?? code}. Retrying for up to ${lengthInWords(triesForMs)}; ${fix}.`,
      );
    }
    if (!seriousLevels.includes(level)) return;
    // The end of a failed run: the summary reports it.
    if (level === 'error' && job !== undefined && records !== undefined) return;
    const why = reason ?? err?.message;
    showOnce(`${msg} ${code ?? err?.code ?? ''}`, why === undefined ? msg : `${msg}: ${why}`);
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

interface SyncCommandOptions {
  /** Sweep every transaction, whatever is known about the list. */
  readonly full: boolean;
  /** Trust empty lists at once, without a second run an hour later. */
  readonly empty: boolean;
}

export async function syncCommand(
  context: CommandContext,
  wanted: readonly Resource[] = [],
  { full, empty }: SyncCommandOptions,
): Promise<ExitCode> {
  const config = parseConfig(context);
  const chosen = choose(wanted, config.resources);
  const sealing = sealingOf(config.seal);
  const isZoneSet = Boolean(context.env['SCHEDULE_TIMEZONE']?.trim());
  const line = createLiveLine(context.stderr);
  const logging = loggingOf(context, config, line);
  return await withCommandScope({ ...context, ...logging, line }, async (scope, signal) => {
    warnOfExposedKey(context, scope.logger);
    const tools = await composeTools(config, scope, signal);
    const began = performance.now();
    const progress = new Map<string, Progress>();
    const { account } = config.custody;
    const lease = { ...tools, account, holder: holderName(), ttlMs: config.leaseTtlMs };
    const showProgress = (all: Iterable<Progress>) =>
      line.show(progressLine(all, (performance.now() - began) / 1000));
    const finish = (outcomes: readonly JobOutcome[]) => {
      line.clear();
      report(context, outcomes);
      return exitCodeFor(outcomes);
    };
    const done = await doOrAsk(
      lease,
      { resources: wanted.length === 0 ? null : wanted, isFull: full, trustEmpty: empty },
      { onWait: createWaitNotes(line, tools.logger), onProgress: showProgress },
      signal,
      async (held, heldSignal) => {
        await saveExpectations(tools.database, held, 'sync', expectedOfSync(config));
        if (isZoneSet) await saveTimeZone({ ...tools, lease: held }, config.schedule.timezone);
        const outcomes = await runCycle(
          {
            ...tools,
            lease: held,
            signal: heldSignal,
            trustEmptyLists: empty,
            onProgress: (report) => {
              progress.set(report.job, report);
              showProgress(progress.values());
            },
          },
          chosen,
          { full, again: againWhileWaiting },
        );
        const code = finish(outcomes);
        // Mirrored data is kept, and reported, even if it cannot be sealed.
        const afterPart = (rows: number) => line.show(`sealed ${counted(rows, 'row')}`);
        if (sealing !== undefined)
          await sealHistory({ ...tools, ...sealing, lease: held, signal: heldSignal, afterPart });
        return code;
      },
    );
    return 'value' in done ? done.value : finish(done.outcomes);
  });
}

/**
 * On a terminal the progress line and one line per kind of trouble replace the log; elsewhere the summary
 * replaces the messages of normal operation.
 */
function loggingOf(context: CommandContext, { custody, log }: Config, line: LiveLine) {
  if (context.isTerminal && context.env['LOG_LEVEL'] === undefined)
    return {
      log: { level: 'debug', format: 'json' } as const,
      destination: createTroubleLines({ line, output: context.stderr, triesForMs: triesFor(custody) }),
    };
  return { log: { ...log, level: context.env['LOG_LEVEL'] === undefined ? 'warn' : log.level } as const };
}

/**
 * The resources to mirror: those named, else all of CUSTODY_RESOURCES. A named resource that
 * CUSTODY_RESOURCES leaves out is refused: nothing would monitor its age.
 *
 * @throws MirrorError `CONFIGURATION`
 */
function choose(named: readonly Resource[], mirrored: readonly Resource[]): readonly Resource[] {
  const leftOut = named.filter((resource) => !mirrored.includes(resource));
  if (leftOut.length > 0)
    throw new MirrorError(
      'CONFIGURATION',
      `CUSTODY_RESOURCES: leaves ${leftOut.join(' and ')} out (it is ${mirrored.join(',')}); add ${leftOut.length === 1 ? 'it' : 'them'} there, or do not name ${leftOut.length === 1 ? 'it' : 'them'}`,
    );
  return named.length === 0 ? mirrored : named;
}

/** Shows that the command asks and waits: on the line each time, in the log once per holder. */
function createWaitNotes(line: LiveLine, logger: Logger) {
  let asked = '';
  return (heldBy: string, leftMs: number) => {
    line.show(waitingLine(heldBy, leftMs));
    if (heldBy !== asked)
      logger.info(
        { held_by: heldBy, wait_at_most_ms: Math.round(leftMs) },
        'asked the process that writes for this account',
      );
    asked = heldBy;
  };
}

function report(context: CommandContext, outcomes: readonly JobOutcome[]): void {
  const { stdout, stderr, isTerminal } = context;
  if (!isTerminal) stdout.write(`${summaryLine(outcomes)}\n`);
  else stdout.write(`${outcomeLines(outcomes, stdout.columns || Number.POSITIVE_INFINITY).join('\n')}\n`);
  for (const fix of fixesFor(outcomes)) stderr.write(`${wrap(fix, stderr.columns || 100).join('\n')}\n`);
}

/** The longest time for which a request is retried, in milliseconds: the sum of its growing waits. */
function triesFor({ retries, retryMinMs, retryMaxMs }: Config['custody']): number {
  const waits = Array.from({ length: retries }, (_, nth) => Math.min(retryMaxMs, retryMinMs * 2 ** nth));
  return waits.reduce((sum, wait) => sum + wait, 0);
}

function exitCodeFor(outcomes: readonly JobOutcome[]): ExitCode {
  if (outcomes.some((outcome) => outcome.keyRejected)) return exitCodes.keyRejected;
  return outcomes.every((outcome) => outcome.status === 'succeeded') ? exitCodes.ok : exitCodes.failed;
}
