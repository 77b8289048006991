// After a pause in which the growing end was not read: the list of what appeared since, by start_date where its format is
// known (interface.md 4.1). A further bound and no proof: what it shows beyond the growing end contradicts what was
// learned of that end, and what it does not show says nothing.
import { CustodyError, errorCode, isKeyRejected } from '../domain/errors.ts';
import type { Instant } from '../domain/instant.ts';
import type { Page } from '../domain/page.ts';
import type { Transaction } from '../domain/transaction.ts';
import { contradictDateFormat, isRefusal, knownDateFormat, showsOlder } from './date-filter.ts';
import type { DateFormat } from './date-formats.ts';
import { contradictGrowth } from './growth.ts';
import type { OpenRun } from './job.ts';
import { keysOf } from './joint.ts';
import { lastWholeReading } from './last-reading.ts';
import { takenLimit } from './transaction-pages.ts';

/** A shorter pause leaves nothing for another list to show. */
const pauseMs = 10 * 60_000;
/** A longer list is not worth its requests. */
const maxPages = 4;
/** Attempts after the first: what fails is left out. */
const retries = 2;

export interface AppearedSince {
  readonly pages: readonly Page<Transaction>[];
  /** The last page was not cut: nothing follows it. */
  readonly complete: boolean;
}

const nothing: AppearedSince = { pages: [], complete: false };

/**
 * Reads the list, before the growing end is read: what it shows was there by then. It is empty without a known format,
 * after a short pause, when the service fails, and when the answer contradicts the format, which is taken back then.
 */
export async function readAppearedSince(run: OpenRun): Promise<AppearedSince> {
  const format = knownDateFormat(run.facts);
  if (format === null) return nothing;
  const last = await lastWholeReading(run);
  if (last === null || run.clock.now() - last < pauseMs) return nothing;
  try {
    return await readSince(run, format, last - format.marginMs);
  } catch (error) {
    if (!(error instanceof CustodyError) || isKeyRejected(error)) throw error;
    if (isRefusal(error))
      contradictDateFormat(run.facts, `${format.name} was refused with ${error.fault.code}`);
    run.logger.info({ code: errorCode(error) }, 'list of what appeared since the last reading was not read');
    return nothing;
  }
}

async function readSince(run: OpenRun, format: DateFormat, start: Instant): Promise<AppearedSince> {
  const { client, config, facts, signal, tally } = run;
  const limit = takenLimit(facts, config.pageSize);
  const cap = Math.min(limit, Number(facts.known.get('transactions_page_cap') ?? limit));
  const filter = { startDate: format.write(start) };
  const pages: Page<Transaction>[] = [];
  for (let offset = 0; pages.length < maxPages; ) {
    const page = await client.transactions(
      { offset, limit },
      { signal, priority: 'normal', tally, retries },
      filter,
    );
    if (await showsOlder(run, page, start - format.marginMs)) {
      contradictDateFormat(facts, `${format.name} showed records known for longer than was asked for`);
      return nothing;
    }
    pages.push(page);
    if (page.items.length < cap) return { pages, complete: true };
    offset += page.items.length;
  }
  return { pages, complete: false };
}

/**
 * Holds the list against what the growing end has shown since it was read, and commits it.
 *
 * @param appeared the transactions that the reading of the growing end has inserted
 * @param commit commits a page, and tells what it has inserted
 * @returns why the list must be swept; null when nothing speaks for it
 */
export async function holdAgainstGrowingEnd(
  { facts }: OpenRun,
  { pages, complete }: AppearedSince,
  appeared: readonly string[],
  commit: (page: Page<Transaction>) => Promise<readonly string[]>,
): Promise<string | null> {
  const missed: string[] = [];
  for (const page of pages) if (page.items.length > 0) missed.push(...(await commit(page)));
  const shown = new Set(pages.flatMap(keysOf));
  if (complete && appeared.length > 0 && !appeared.some((id) => shown.has(id)))
    contradictDateFormat(facts, `none of ${appeared.length} records that had appeared since was shown`);
  if (missed.length === 0) return null;
  contradictGrowth(facts, `${missed.length} records appeared elsewhere, and were met by start_date alone`);
  return `${missed.length} records appeared elsewhere than at the growing end`;
}
