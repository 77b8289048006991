// Finds out whether start_date and end_date work, and in which format (interface.md 4.1 shows none): each format is asked
// questions whose answers are known, because some records are known to have appeared between two readings of the list.
// A filter that is ignored, rejected or misread is told from one that works. What a fault hides teaches nothing.
import type { TransactionFilter } from '../custody/client.ts';
import { CustodyError, errorCode, isRefusal } from '../domain/errors.ts';
import type { Instant } from '../domain/instant.ts';
import type { Page } from '../domain/page.ts';
import type { Transaction } from '../domain/transaction.ts';
import { type Appearance, readAppearances } from '../store/appearances.ts';
import { type Contested, openContested } from './contested.ts';
import { isProbeDue, learnDateFormat, showsOlder } from './date-filter.ts';
import { type DateFormat, dateFormats, futureMoment, longAgo } from './date-formats.ts';
import type { OpenRun } from './job.ts';
import { takePages } from './take-pages.ts';
import { fullPage, takenLimit } from './transaction-pages.ts';
import { keysOf } from './walk/overlap.ts';

/** Requests of one probe, those that are repeated after a fault included. */
const maxProbeRequests = 12;
const retries = 2;
/** Requests that only confirm what is shown already, left out when too few remain. */
const confirming = 3;

/**
 * - `works`: the list is parted where it was asked to be
 * - `ignored`: it makes no difference
 * - `rejected`: the service refuses it
 * - `misread`: it is taken for another moment
 * - `unproved`: the answers do not show which of these
 */
type DateOutcome = 'works' | 'ignored' | 'rejected' | 'misread' | 'unproved';

interface Finding {
  readonly format: DateFormat['name'];
  readonly outcome: DateOutcome | 'failed';
  /** What was seen, in words. */
  readonly saw: string;
}

/** What the service answered: a page, or the code of its refusal. */
type Answer = Page<Transaction> | string;

/** Ends a probe that has used up its requests. */
class ProbeExhausted extends Error {
  override readonly name = 'ProbeExhausted';
}

/** Probes the date filters when that is due. Called at the end of a verified sweep; a fault of the service fails nothing. */
export async function probeDateFilter(run: OpenRun): Promise<void> {
  const { clock, database, facts, lease, logger, signal } = run;
  if (!isProbeDue(facts, clock.now())) return;
  const appeared = await readAppearances(database, lease.account);
  if (appeared.length === 0) {
    const evidence = 'no record is known to have appeared between two readings of the list';
    learnDateFormat(facts, 'unproved', evidence, clock.now());
    return;
  }
  try {
    const contested = await openContested(run);
    const findings = await probeFormats(createProbe(run, appeared, contested)).finally(() =>
      contested.report(),
    );
    const evidence = findings.map(({ format, outcome, saw }) => `${format} ${outcome} (${saw})`).join('; ');
    const works = findings.find(({ outcome }) => outcome === 'works');
    const open = findings.some(({ outcome }) => outcome === 'unproved');
    if (works === undefined && findings.some(({ outcome }) => outcome === 'failed')) return;
    learnDateFormat(facts, works?.format ?? (open ? 'unproved' : 'none'), evidence, clock.now());
  } catch (error) {
    const isFault = error instanceof CustodyError || error instanceof ProbeExhausted;
    if (!isFault && !signal.aborted) throw error;
    logger.info({ code: errorCode(error) }, 'date filters were not probed to the end');
  }
}

interface Probe {
  readonly run: OpenRun;
  readonly appeared: readonly Appearance[];
  /** The latest moment at which a record that is there now was seen not to be. */
  readonly absentAt: Instant;
  ask(filter: TransactionFilter): Promise<Answer>;
  remaining(): number;
  /** Whether a page of so many records may have been cut. */
  isFull(page: Page<Transaction>): boolean;
}

function createProbe(run: OpenRun, appeared: readonly Appearance[], contested: Contested): Probe {
  const { client, config, facts, signal, tally } = run;
  /** What was seen of a record is part of its history, whatever it was asked for. */
  const commit = async (page: Page<Transaction>) => {
    const believed = contested.without(page);
    if (believed.items.length > 0) await takePages(run, contested, [believed]);
  };
  const limit = takenLimit(facts, config.pageSize);
  const cap = fullPage(facts, limit);
  const before = tally.requests;
  const remaining = () => maxProbeRequests - (tally.requests - before);
  return {
    run,
    appeared,
    absentAt: Math.max(...appeared.map(({ after }) => after)),
    remaining,
    isFull: (page) => page.items.length >= cap,
    async ask(filter) {
      if (remaining() <= 0) throw new ProbeExhausted('the requests of the probe were used up');
      const call = {
        signal,
        priority: 'background',
        tally,
        retries: Math.min(retries, remaining() - 1),
      } as const;
      try {
        const page = await client.transactions({ offset: 0, limit }, call, filter);
        await commit(page);
        return page;
      } catch (error) {
        if (isRefusal(error)) return error.fault.code;
        throw error;
      }
    },
  };
}

/** One format after another, until one works or might. */
async function probeFormats(probe: Probe): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const format of dateFormats) {
    const start = floorTo(format, probe.absentAt - format.marginMs);
    let since: Answer;
    try {
      since = await probe.ask({ startDate: format.write(start) });
    } catch (error) {
      // Some answer what they cannot read as if they had broken: another format may still work.
      if (!(error instanceof CustodyError) || error.fault.kind !== 'transient') throw error;
      findings.push({ format: format.name, outcome: 'failed', saw: error.fault.code });
      continue;
    }
    const [outcome, saw] = await judge(probe, format, start, since);
    findings.push({ format: format.name, outcome, saw });
    if (outcome === 'works' || outcome === 'unproved') break;
  }
  return findings;
}

type Judgement = readonly [outcome: DateOutcome, saw: string];

/** @param since the answer to `start_date` alone, a moment before which the latest records were not there */
async function judge(probe: Probe, format: DateFormat, start: Instant, since: Answer): Promise<Judgement> {
  if (typeof since === 'string') return ['rejected', since];
  const { run, appeared, isFull } = probe;
  const shown = new Set(keysOf(since));
  const later = appeared.filter(({ after }) => after >= start + format.marginMs);
  const met = later.filter(({ transactionId }) => shown.has(transactionId)).length;
  const isShort = !isFull(since);
  if (met === 0 && isShort) return ['misread', 'no record that appeared later was shown'];
  const older = await showsOlder(run, since, start - format.marginMs);

  const past = await probe.ask({ endDate: format.write(longAgo) });
  if (holdsRecords(past)) return ['ignored', 'records were answered to a range before the first of them'];
  if (older) return ['misread', 'records known for longer were not left out'];
  const future = await probe.ask({ startDate: format.write(futureMoment(run.clock.now())) });
  if (holdsRecords(future)) return ['misread', 'records were answered to a range in the future'];

  const before = await probe.ask({ endDate: format.write(start - format.unitMs) });
  if (!holdsRecords(before)) return ['unproved', 'no record is older than those that appeared last'];
  const laterIds = new Set(later.map(({ transactionId }) => transactionId));
  if (keysOf(before).some((key) => shown.has(key) || laterIds.has(key)))
    return ['misread', 'records stand on both sides of one moment'];
  // One that was removed meanwhile is no contradiction, but the others are no proof.
  if (met < later.length && isShort)
    return [
      'unproved',
      `${later.length - met} of ${later.length} records that appeared later were not shown`,
    ];
  if (met === 0) return ['unproved', 'too many records since then to see those that appeared last'];
  return (
    (await findContradiction(probe, format, start)) ?? [
      'works',
      `${met} records that appeared last were told from older ones`,
    ]
  );
}

/** Asks what only confirms: a range around everything, which must change nothing, and one that is reversed. */
async function findContradiction(
  probe: Probe,
  format: DateFormat,
  start: Instant,
): Promise<Judgement | null> {
  if (probe.remaining() < confirming) return null;
  const plain = await probe.ask({});
  const all = await probe.ask({
    startDate: format.write(longAgo),
    endDate: format.write(futureMoment(probe.run.clock.now())),
  });
  // A range may be refused for its length, which tells nothing of how it was read.
  if (typeof all !== 'string' && typeof plain !== 'string') {
    const unfiltered = new Set(keysOf(plain));
    const shared = keysOf(all).filter((key) => unfiltered.has(key)).length;
    if (shared < unfiltered.size / 2) return ['misread', 'a range around everything left records out'];
  }
  const reversed = await probe.ask({ startDate: format.write(start), endDate: format.write(longAgo) });
  return holdsRecords(reversed) ? ['misread', 'records were answered to a reversed range'] : null;
}

function holdsRecords(answer: Answer): answer is Page<Transaction> {
  return typeof answer !== 'string' && answer.items.length > 0;
}

/** The moment as the format can write it. */
function floorTo({ unitMs }: DateFormat, at: Instant): Instant {
  return Math.floor(at / unitMs) * unitMs;
}
