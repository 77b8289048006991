// Finds the rate that an endpoint allows (CUSTODY_RATE_LIMIT=auto): additive increase, multiplicative
// decrease.
//
// - Probing: it begins without a rate. The first refusal gives what was accepted per second, and the rate
//   doubles until the next.
// - Increase and decrease: from then on the rate rises slowly towards the ceiling, the rate last refused, and
//   falls a little at each refusal; far from the ceiling it rises fast.
// - Window: refusals that last longer than the rate explains mean that the service counts over a long window,
//   and that it was used up. The limit is what was accepted from the end of one such outage to the end of the
//   next, over that time; so a probe asks for the end where usual windows end.
// - Periods: many refusals in one period mean that the rate is measured anew (rate-period.ts). If bad periods
//   follow each other although the rate falls, the rate is not the cause: it is set back, and left alone for
//   a while.
//
// What each rule gains is measured: docs/decisions/bottleneck-and-the-rate-controller.md
import { RatePeriods } from './rate-period.ts';
import { type Permit, type RateSettings, type Reply, TokenBucket } from './token-bucket.ts';
import type { Quota } from './wait-hints.ts';

/** The rate after a refusal, as a part of the rate before: while it increases slowly, and while probed. */
const decrease = 0.93;
const decreaseOfProbe = 0.7;
/** A decrease is made up for after so many accepted requests, seconds or long windows: the longest. */
const increaseOver = { requests: 300, seconds: 30, windows: 3 };
/** Outside these bounds around the ceiling, the rate rises by this part a second, or every five requests. */
const nearCeiling = { from: 0.9, to: 1.1 };
const increaseOfFar = 0.1;
/**
 * How long an outage lasts that means a used up window: this long while no rate is known; else so many gaps,
 * at least `minMs`, after so many accepted requests, and at least this share of the time since the last
 * outage. So a few refusals by chance do not count.
 */
const longOutage = { unpacedMs: 3000, gaps: 4, minMs: 1000, share: 0.15, after: 8 };
const usualWindowsMs = [5, 10, 15, 20, 30, 60, 300, 900, 3600].map((seconds) => seconds * 1000);
/** Number of answers for which the rate is left alone, once it is known not to be the cause. */
const leftAloneFor = 500;
/** The lowest rate, in requests per second. */
const slowest = 0.02;

export class AdaptiveRate extends TokenBucket {
  readonly #periods = new RatePeriods();
  /** Accepted requests since the last long outage ended. */
  #cycle = { startedAt: 0, accepted: 0 };
  #hasBegun = false;
  #lastActiveAt = Number.NEGATIVE_INFINITY;
  #firstRefusedAt: number | null = null;
  #lastRefusedAt = Number.NEGATIVE_INFINITY;
  #recoveredAt = Number.NEGATIVE_INFINITY;
  /** The rate that was last refused; null while the rate is probed. */
  #ceiling: number | null;
  #acceptedSinceRefusal = 0;
  #acceptedBeforeOutage = 0;
  /** The window over which the service counts, if it was seen to be long; else 0. */
  #windowMs = 0;
  /** Answers for which the rate is still left alone. */
  #leftAlone = 0;
  #quota: { left: number; readonly resetAt: number } | null = null;

  constructor(settings: RateSettings) {
    super(settings);
    this.#ceiling = settings.rate;
    this.#periods.begin(0, this.rate);
  }

  override delayMs(now: number): number {
    const delay = super.delayMs(now);
    const quota = this.#quota;
    return quota !== null && quota.left <= 0 ? Math.max(delay, quota.resetAt - now) : delay;
  }

  override grant(now: number): Permit {
    const idleMs = now - Math.max(this.#lastActiveAt, this.backoffUntil, this.#quota?.resetAt ?? 0);
    if (!this.#hasBegun || (this.inFlight === 0 && idleMs > 2000 + this.gapMs())) {
      // Idle time says nothing about what would have been accepted.
      this.#periods.begin(now, this.rate);
      this.#cycle = { startedAt: now, accepted: 0 };
      this.#hasBegun = true;
    }
    this.#lastActiveAt = now;
    if (this.#quota !== null) this.#quota.left -= 1;
    return super.grant(now);
  }

  override answered(now: number, permit: Permit, reply: Reply): void {
    const wasRefused = this.refusals > 0;
    super.answered(now, permit, reply);
    this.#lastActiveAt = now;
    if (reply.outcome === 'unknown') return;
    if (this.#leftAlone > 0) this.#leftAlone -= 1;
    if (reply.outcome === 'accepted') this.#accepted(now, permit, wasRefused && this.refusals === 0);
    else this.#refused(now, wasRefused);
    if (reply.quota !== null) this.#noteQuota(now, reply.quota);
    if (this.refusals === 0 && this.#periods.isOver(now)) this.#endPeriod(now);
  }

  #accepted(now: number, permit: Permit, recovered: boolean): void {
    this.#periods.count('accepted');
    this.#cycle.accepted += 1;
    this.#acceptedSinceRefusal += 1;
    if (recovered) this.#recovered(now);
    else if (this.rate !== null && permit.paced) this.rate *= 1 + this.#increase(this.rate);
  }

  /**
   * The first request accepted after an outage. Its length, and what was accepted before, may show the limit.
   */
  #recovered(now: number): void {
    // The outage ended somewhere between the last refusal and now.
    const likely = this.#usualEnd(this.#lastRefusedAt);
    const endedAt = likely <= now ? likely : (this.#lastRefusedAt + now) / 2;
    const outageMs = endedAt - (this.#firstRefusedAt ?? endedAt);
    const cycleMs = endedAt - this.#cycle.startedAt;
    const measured = (Math.max(1, this.#cycle.accepted - 1) * 1000) / Math.max(1, cycleMs);
    const sinceOutageMs = Math.min(cycleMs, endedAt - this.#recoveredAt);
    this.#firstRefusedAt = null;
    this.#recoveredAt = now;
    if (this.#leftAlone > 0) return;
    const long = this.#isLong(outageMs) && outageMs >= longOutage.share * sinceOutageMs;
    if (long && this.#windowMs === 0 && this.#cycle.accepted === 1) {
      // Refused from the start: somebody else used the window up, so its size is still unknown.
      this.#cycle = { startedAt: endedAt, accepted: 1 };
      this.#periods.begin(now, this.rate);
    } else if (long) {
      // The outage cannot have ended before the last refusal, so the limit cannot be above this.
      const bound = (this.#cycle.accepted * 1000) / (this.#lastRefusedAt - this.#cycle.startedAt);
      this.#ceiling = Math.max(slowest, bound);
      this.#windowMs = cycleMs;
      this.#change(now, measured);
      this.#cycle = { startedAt: now, accepted: 0 };
      this.#periods.begin(now, this.rate);
    } else if (this.rate === null) {
      this.#change(now, measured * decrease);
      this.#periods.begin(now, this.rate);
    }
  }

  /** False for a bucket or sliding window exceeded by one request: it accepts another after a gap or two. */
  #isLong(outageMs: number): boolean {
    const { unpacedMs, gaps, minMs, after } = longOutage;
    if (this.rate === null) return outageMs >= unpacedMs;
    return this.#acceptedBeforeOutage >= after && outageMs >= Math.max(minMs, gaps * this.gapMs());
  }

  /** By what part one accepted request raises the rate. */
  #increase(rate: number): number {
    // Requests in one second at this rate, but at least five.
    const second = Math.max(5, rate);
    if (this.#ceiling === null) return Math.LN2 / second;
    const distance = rate / this.#ceiling;
    if (distance < nearCeiling.from || distance > nearCeiling.to) return increaseOfFar / second;
    const { requests, seconds, windows } = increaseOver;
    const overSeconds = Math.max(seconds, (windows * this.#windowMs) / 1000);
    return (1 - decrease) / Math.max(requests, overSeconds * rate);
  }

  #refused(now: number, wasRefused: boolean): void {
    this.#periods.count('refused');
    if (this.#firstRefusedAt === null) this.#acceptedBeforeOutage = this.#acceptedSinceRefusal;
    this.#firstRefusedAt ??= now;
    this.#lastRefusedAt = now;
    this.#acceptedSinceRefusal = 0;
    // A probe for the end of an outage tells nothing new.
    if (this.rate === null || wasRefused || this.#leftAlone > 0) return;
    const probing = this.#ceiling === null;
    this.#ceiling = this.rate;
    this.#change(now, this.rate * (probing ? decreaseOfProbe : decrease));
  }

  #endPeriod(now: number): void {
    const verdict = this.#periods.judge(now, this.rate === null || this.#leftAlone > 0);
    if (verdict.kind === 'not-the-rate') {
      this.#change(now, Math.max(this.rate ?? 0, verdict.rateBefore ?? 0));
      this.#leftAlone = leftAloneFor;
    } else if (verdict.kind === 'measure-anew') {
      this.#change(now, Math.min(this.rate ?? Number.POSITIVE_INFINITY, decrease * verdict.perSecond));
    }
    this.#periods.begin(now, this.rate);
  }

  protected override firstBackoffMs(): number {
    // Frequent requests would use a long window up again.
    return Math.max(super.firstBackoffMs(), this.#windowMs / 20);
  }

  protected override backoffMs(now: number): number {
    return Math.min(super.backoffMs(now), this.#usualEnd(now) - now);
  }

  /** The next moment at which a usual window ends that began with the cycle. */
  #usualEnd(after: number): number {
    const ends = usualWindowsMs.map((window) => this.#cycle.startedAt + window);
    return ends.find((end) => end > after) ?? Number.POSITIVE_INFINITY;
  }

  #change(now: number, rate: number): void {
    this.setRate(now, Math.max(slowest, rate));
  }

  /** A used up quota holds the requests until it is renewed. */
  #noteQuota(now: number, { remaining, resetMs }: Quota): void {
    const resetAt = now + resetMs;
    // Answers can arrive out of order: within one window the smallest count is right.
    const before = this.#quota;
    const sameWindow = before !== null && now < before.resetAt && resetAt < before.resetAt + 1000;
    const left = Math.min(remaining - this.inFlight, sameWindow ? before.left : Number.POSITIVE_INFINITY);
    this.#quota = { left, resetAt };
  }
}
