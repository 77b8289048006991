// `custody-mirror sync`: one full cycle now. Successful parts are kept if others fail.
import { type Config, parseConfig } from '../../base/config/config.ts';
import type { Logger } from '../../base/logger.ts';
import { MirrorError } from '../../domain/errors.ts';
import type { Resource } from '../../domain/jobs.ts';
import { counted } from '../../domain/words.ts';
import { expectedOfSync } from '../../scheduler/expected.ts';
import { sealHistory } from '../../seal/seal.ts';
import { saveExpectations } from '../../store/run/expectations.ts';
import { againWhileWaiting } from '../../sync/jobs/repeat-sweeps.ts';
import { runCycle } from '../../sync/jobs/runners.ts';
import type { Progress } from '../../sync/run/context.ts';
import type { JobOutcome } from '../../sync/run/run-job.ts';
import { doOrAsk } from '../setup/asking.ts';
import { type CommandContext, withCommandScope } from '../setup/command-scope.ts';
import { composeTools, holderName } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { sealingOf, warnOfExposedKey } from '../setup/verifying.ts';
import { fixesFor, outcomeLines, progressLine, summaryLine, waitingLine } from '../text/sync-report.ts';
import { createLiveLine, type LiveLine, wrap } from '../text/terminal.ts';
import { createTroubleLines } from '../text/trouble-lines.ts';

export interface SyncCommandOptions {
  /** Sweep every transaction, whatever is known about the list. */
  readonly full: boolean;
  /** Trust empty lists at once, without a second run an hour later. */
  readonly empty: boolean;
}

export async function syncCommand(
  context: CommandContext,
  wanted: readonly Resource[],
  { full, empty }: SyncCommandOptions,
): Promise<ExitCode> {
  const config = parseConfig(context);
  const chosen = choose(wanted, config.resources);
  const sealing = sealingOf(config.seal);
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
