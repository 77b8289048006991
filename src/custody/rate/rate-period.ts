// Periods of answers to one endpoint, judged by the share of refusals. A rate that is too high makes a bad
// period or two; more bad periods in a row, although the rate falls, show another cause.
//
// This gains less than any other rule. With one refusal in five, whatever the rate, it keeps 21 requests a
// second instead of 1.3 in the second minute, and 0.5 instead of 0.1 after ten; with one in twenty, nothing.

/** Answers and time in a period. */
const periodLength = 20;
const periodMs = 3000;
/** The share of refusals that makes a period bad, and the share at which the rate is measured anew. */
const badShare = 0.1;
const hopelessShare = 0.3;
/** Bad periods in a row after which the rate is not to blame. */
const maxBadPeriods = 4;

/** What a period says about the rate; `perSecond` is what was accepted in it. */
export type RatePeriodVerdict =
  | { readonly kind: 'good' | 'bad' }
  | { readonly kind: 'measure-anew'; readonly perSecond: number }
  | { readonly kind: 'not-the-rate'; readonly rateBefore: number | null };

export class RatePeriods {
  #startedAt = 0;
  #rateAtStart: number | null = null;
  #accepted = 0;
  #refused = 0;
  #bad = 0;
  #rateBeforeBad: number | null = null;

  /** Begins a period. @param rate requests per second, null while unbounded */
  begin(now: number, rate: number | null): void {
    this.#startedAt = now;
    this.#rateAtStart = rate;
    this.#accepted = 0;
    this.#refused = 0;
  }

  count(outcome: 'accepted' | 'refused'): void {
    if (outcome === 'accepted') this.#accepted += 1;
    else this.#refused += 1;
  }

  isOver(now: number): boolean {
    return this.#accepted + this.#refused >= periodLength && now - this.#startedAt >= periodMs;
  }

  /** Judges the period. @param isIgnored the rate is left alone, so that no period counts as bad */
  judge(now: number, isIgnored: boolean): RatePeriodVerdict {
    const share = this.#refused / (this.#accepted + this.#refused);
    if (isIgnored || share < badShare) {
      this.#bad = 0;
      return { kind: 'good' };
    }
    this.#bad += 1;
    if (this.#bad === 1) this.#rateBeforeBad = this.#rateAtStart;
    if (this.#bad >= maxBadPeriods) {
      this.#bad = 0;
      return { kind: 'not-the-rate', rateBefore: this.#rateBeforeBad };
    }
    if (share < hopelessShare) return { kind: 'bad' };
    return { kind: 'measure-anew', perSecond: (this.#accepted * 1000) / Math.max(1, now - this.#startedAt) };
  }
}
