// What is known of the filters start_date and end_date (interface.md 4.1 shows no format): which format works, and what
// shows that it does not. The filters are a further bound: nothing is concluded from what they do not show.
import { type Instant, instantToIso } from '../domain/instant.ts';
import type { Page } from '../domain/page.ts';
import type { Transaction } from '../domain/transaction.ts';
import { anyUnchangedSince } from '../store/recent-changes.ts';
import type { JobContext } from './context.ts';
import { type DateFormat, dateFormats } from './date-formats.ts';
import type { FactKeeper } from './facts.ts';

const formatFact = 'transactions_date_format';
const probedFact = 'transactions_date_probed_at';
const probeAgainMs = 30 * 24 * 3_600_000;

/** Null while none is known to work. */
export function knownDateFormat(facts: FactKeeper): DateFormat | null {
  const name = facts.known.get(formatFact);
  return dateFormats.find((format) => format.name === name) ?? null;
}

export type DateVerdict = DateFormat['name'] | 'none' | 'unproved';

/** Keeps what a probe came to. One that proves nothing takes nothing back. */
export function learnDateFormat(facts: FactKeeper, value: DateVerdict, evidence: string, at: Instant): void {
  if (value === 'unproved' && knownDateFormat(facts) !== null) return;
  facts.learn({ fact: formatFact, value, evidence });
  if (value !== 'unproved')
    facts.learn({
      fact: probedFact,
      value: instantToIso(at),
      evidence: 'the date filters were probed to the end',
    });
}

/** Takes back that the format works; the next probe looks again. */
export function contradictDateFormat(facts: FactKeeper, evidence: string): void {
  facts.learn({ fact: formatFact, value: 'contradicted', evidence });
}

/** Whether the filters are to be probed: not known, contradicted since, or known for long. */
export function isProbeDue(facts: FactKeeper, now: Instant): boolean {
  if (facts.known.get(formatFact) !== 'none' && knownDateFormat(facts) === null) return true;
  const probed = Date.parse(facts.known.get(probedFact) ?? '');
  return !(now - probed < probeAgainMs);
}

/** Whether the page shows a record that has been mirrored, just as it is shown, since before the moment. */
export function showsOlder(
  { database, lease }: Pick<JobContext, 'database' | 'lease'>,
  page: Page<Transaction>,
  before: Instant,
): Promise<boolean> {
  const shown = page.items.flatMap((item) =>
    item.kind === 'record' ? [{ transactionId: item.key, contentHash: item.record.contentHash }] : [],
  );
  return anyUnchangedSince(database, lease.account, shown, instantToIso(before));
}
