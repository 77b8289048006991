// After a pause in which the growing end was not read: the list of what appeared since, by start_date where its format is
// known (interface.md 4.1). A further bound and no proof: what it shows beyond the growing end contradicts what was
// learned of that end, and what it does not show says nothing.
import { CustodyError, errorCode, isKeyRejected, isRefusal } from '../domain/errors.ts';
import type { Instant } from '../domain/instant.ts';
import type { Page } from '../domain/page.ts';
import type { Transaction } from '../domain/transaction.ts';
import { contradictDateFormat, knownDateFormat, showsOlder } from './date-filter.ts';
import type { DateFormat } from './date-formats.ts';
import { contradictGrowth } from './growth.ts';
import type { OpenRun } from './job.ts';
import { lastWholeReading } from './last-reading.ts';
import { fullPage, takenLimit } from './transaction-pages.ts';

/** A shorter pause leaves nothing for another list to show. */
const pauseMs = 10 * 60_000;
/** A longer list is not worth its requests. */
const maxPages = 4;
/** Attempts after the first: what fails is left out. */
const retries = 2;

export interface AppearedSince {
  /** Transactions that were not mirrored before. */
  readonly inserted: readonly string[];
  /** The list was read to its end, and held nothing that contradicts the format. */
  readonly complete: boolean;
}

/** Commits a page, and tells which transactions it has inserted. */
type Commit = (page: Page<Transaction>) => Promise<readonly string[]>;

/**
 * Reads the list and takes it in, before the growing end is read: what it shows was there by then. Nothing is read without a
 * known format or after a short pause; a fault leaves the rest out, and what contradicts the format takes it back.
 */
export async function readAppearedSince(run: OpenRun, commit: Commit): Promise<AppearedSince> {
  const inserted: string[] = [];
  const format = knownDateFormat(run.facts);
  const last = format === null ? null : await lastWholeReading(run);
  if (format === null || last === null || run.clock.now() - last < pauseMs)
    return { inserted, complete: false };
  const take = async (page: Page<Transaction>) => {
    if (page.items.length > 0) inserted.push(...(await commit(page)));
  };
  try {
    return { inserted, complete: await readSince(run, format, last - format.marginMs, take) };
  } catch (error) {
    if (!(error instanceof CustodyError) || isKeyRejected(error)) throw error;
    if (isRefusal(error))
      contradictDateFormat(run.facts, `${format.name} was refused with ${error.fault.code}`);
    run.logger.info({ code: errorCode(error) }, 'list of what appeared since the last reading was not read');
    return { inserted, complete: false };
  }
}

/** @returns whether the list was read to its end without a contradiction */
async function readSince(
  run: OpenRun,
  format: DateFormat,
  start: Instant,
  take: (page: Page<Transaction>) => Promise<void>,
): Promise<boolean> {
  const { client, config, facts, signal, tally } = run;
  const limit = takenLimit(facts, config.pageSize);
  const cap = fullPage(facts, limit);
  const filter = { startDate: format.write(start) };
  for (let offset = 0, pages = 0; pages < maxPages; pages += 1) {
    const call = { signal, priority: 'normal', tally, retries } as const;
    const page = await client.transactions({ offset, limit }, call, filter);
    const older = await showsOlder(run, page, start - format.marginMs);
    await take(page);
    if (older) {
      contradictDateFormat(facts, `${format.name} showed records known for longer than was asked for`);
      return false;
    }
    if (page.items.length < cap) return true;
    offset += page.items.length;
  }
  return false;
}

/** What the growing end has shown after the list was read. */
export interface GrowingEndReading {
  readonly shown: ReadonlySet<string>;
  readonly inserted: readonly string[];
}

/**
 * Holds the list against the growing end.
 *
 * @returns why the whole list must be swept; null when nothing speaks for it
 */
export function holdAgainstGrowingEnd(
  { facts }: OpenRun,
  since: AppearedSince,
  end: GrowingEndReading,
): 'appeared-elsewhere' | null {
  if (since.complete && since.inserted.length === 0 && end.inserted.length > 0)
    contradictDateFormat(facts, `none of ${end.inserted.length} records that had appeared since was shown`);
  const missed = since.inserted.filter((id) => !end.shown.has(id)).length;
  if (missed === 0) return null;
  contradictGrowth(facts, `${missed} records appeared elsewhere, and were met by their date alone`);
  return 'appeared-elsewhere';
}
