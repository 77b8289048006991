// Finds the rate that an endpoint allows (CUSTODY_RATE_LIMIT=auto). Pure, like the pace it builds on.
//
// - Search: it begins without a rate. After the first refusal it takes what was accepted per second, and doubles that until
//   the next refusal.
// - Climb: from then on the rate rises slowly towards the rate that was last refused, and falls a little at each refusal.
// - Window: a block of refusals that lasts longer than the rate explains means that a window was used up. The limit is what
//   was accepted between the ends of two such blocks, over the time between them. So the end of a block must be known well:
//   the service announces it, or requests ask for it often, and where usual windows end.
// - Periods: many refusals in one period of answers mean that the rate is measured anew (rate-period.ts). If bad periods
//   follow each other although the rate falls, the rate is not the cause: it is set back and left alone for a while.
import { GivenRate, type RateSettings, type Reply, type Sent } from './given-rate.ts';
import { RatePeriods } from './rate-period.ts';
import type { Quota } from './wait-hints.ts';

/** The rate after a refusal, as a part of the rate before: while it climbs slowly, and while it was doubled. */
const fallback = 0.93;
const fallbackOfSearch = 0.7;
/** A fallback is made up for after this many accepted requests, seconds and long windows, whichever takes longest. */
const climbRequests = 300;
const climbSeconds = 30;
const climbWindows = 3;
/** After this many requests and this time without a refusal the limit was raised; the rate then climbs by this part a second. */
const raisedAfterRequests = 1000;
const raisedAfterMs = 180_000;
const climbOfRaised = 0.01;
/** Outside these bounds around the rate last refused, the rate climbs by this part a second, or every five requests. */
const near = { from: 0.9, to: 1.1 };
const climbOfFar = 0.1;
/** A refusal after fewer accepted requests may come from earlier requests, and does not end the search. */
const settlingRequests = 4;
/**
 * How long a block lasts that means a used up window: this long while no rate is known; else so many gaps, at least `minMs`,
 * after so many accepted requests, and at least this share of the time since the last block. So a few refusals by chance do not count.
 */
const longBlock = { unpacedMs: 3000, gaps: 4, minMs: 1000, share: 0.15, after: 8 };
/** Usual windows. A request asks for the end of one a little later, by this part of the window. */
const usualWindowsMs = [5, 10, 15, 20, 30, 60, 300, 900, 3600].map((seconds) => seconds * 1000);
const lateness = 0.01;
/** In the first block, for `untilMs`, a request asks for its end after this share of its length, but at least `minHoldMs` apart. */
const firstBlock = { share: 0.15, minHoldMs: 2500, untilMs: 60_000 };
/** The part that is taken of a rate measured from block to block. */
const shareOfMeasured = 0.96;
/** Number of answers for which the rate is left alone, once it is known not to be the cause. */
const leftAloneFor = 500;
/** The lowest rate, in requests per second. */
const slowest = 0.02;
/** Headers count whole seconds: a quota that is renewed within this time is not waited for. */
const coarseMs = 2000;

export class AdaptiveRate extends GivenRate {
  private readonly periods = new RatePeriods();
  /** Accepted requests since the last long block ended. */
  private cycle = { startedAt: 0, accepted: 0 };
  private begun = false;
  private lastActiveAt = Number.NEGATIVE_INFINITY;
  private changedAt = Number.NEGATIVE_INFINITY;
  private firstRefusedAt: number | null = null;
  private lastRefusedAt = Number.NEGATIVE_INFINITY;
  private recoveredAt = Number.NEGATIVE_INFINITY;
  /** When the block ends, if the last refusal said so. */
  private announcedEnd: number | null = null;
  /** The rate that was last refused while it set the pace. */
  private ceiling: number | null;
  private settled: boolean;
  private acceptedSinceRefusal = 0;
  private acceptedBeforeBlock = 0;
  /** The window over which the service counts, if it was seen to be long; else 0. */
  private windowMs = 0;
  /** Answers for which the rate is still left alone. */
  private leftAlone = 0;
  private quota: { left: number; readonly resetAt: number } | null = null;

  constructor(settings: RateSettings) {
    super(settings);
    this.ceiling = settings.rate;
    this.settled = settings.rate !== null;
    this.periods.begin(0, this.rate);
  }

  override delayMs(now: number): number {
    const delay = super.delayMs(now);
    const { quota } = this;
    return quota !== null && quota.left <= 0 ? Math.max(delay, quota.resetAt - now) : delay;
  }

  override sent(now: number): Sent {
    const idleMs = now - Math.max(this.lastActiveAt, this.heldUntil, this.quota?.resetAt ?? 0);
    if (!this.begun || (this.inFlight === 0 && idleMs > 2000 + this.gapMs())) {
      // Idle time says nothing about what would have been accepted.
      this.periods.begin(now, this.rate);
      this.cycle = { startedAt: now, accepted: 0 };
      this.begun = true;
    }
    this.lastActiveAt = now;
    if (this.quota !== null) this.quota.left -= 1;
    return super.sent(now);
  }

  override answered(now: number, sent: Sent, reply: Reply): void {
    const wasRefused = this.refusals > 0;
    super.answered(now, sent, reply);
    this.lastActiveAt = now;
    if (reply.outcome === 'unknown') return;
    if (this.leftAlone > 0) this.leftAlone -= 1;
    if (reply.outcome === 'accepted') this.accepted(now, sent, wasRefused && this.refusals === 0);
    else this.refused(now, sent, reply.waitMs, wasRefused);
    if (reply.quota !== null) this.noteQuota(now, reply.quota);
    if (this.refusals === 0 && this.periods.isOver(now)) this.endPeriod(now);
  }

  private accepted(now: number, sent: Sent, recovered: boolean): void {
    this.periods.count('accepted');
    this.cycle.accepted += 1;
    this.acceptedSinceRefusal += 1;
    if (recovered) this.recovered(now);
    else if (this.rate !== null && sent.paced) this.rate *= 1 + this.growth(this.rate, now);
  }

  /** The first accepted request after refusals. Their length, and what was accepted before them, may show the limit. */
  private recovered(now: number): void {
    // The block ended somewhere between the last refusal and now.
    const likely = this.announcedEnd ?? this.usualEnd(this.lastRefusedAt);
    const endedAt = likely <= now ? likely : (this.lastRefusedAt + now) / 2;
    const blockedMs = endedAt - (this.firstRefusedAt ?? endedAt);
    const cycleMs = endedAt - this.cycle.startedAt;
    const measured = (Math.max(1, this.cycle.accepted - 1) * 1000) / Math.max(1, cycleMs);
    const sinceBlockMs = Math.min(cycleMs, endedAt - this.recoveredAt);
    this.firstRefusedAt = null;
    this.recoveredAt = now;
    if (this.leftAlone > 0) return;
    const long = this.isLong(blockedMs) && blockedMs >= longBlock.share * sinceBlockMs;
    if (long && this.windowMs === 0 && this.cycle.accepted === 1) {
      // Refused from the start: somebody else used the window up, so its size is still unknown.
      this.cycle = { startedAt: endedAt, accepted: 1 };
      this.periods.begin(now, this.rate);
    } else if (long) {
      // The block cannot have ended before the last refusal, so the limit cannot be above this.
      const bound = (this.cycle.accepted * 1000) / (this.lastRefusedAt - this.cycle.startedAt);
      this.ceiling = Math.max(slowest, bound);
      this.settled = true;
      this.windowMs = cycleMs;
      this.change(now, measured * shareOfMeasured);
      this.cycle = { startedAt: now, accepted: 0 };
      this.periods.begin(now, this.rate);
    } else if (this.rate === null) {
      this.change(now, measured * fallback);
      this.periods.begin(now, this.rate);
    }
  }

  /** False for a bucket or sliding window that was exceeded by one request: it accepts another after a gap or two. */
  private isLong(blockedMs: number): boolean {
    const { unpacedMs, gaps, minMs, after } = longBlock;
    if (this.rate === null) return blockedMs >= unpacedMs;
    return this.acceptedBeforeBlock >= after && blockedMs >= Math.max(minMs, gaps * this.gapMs());
  }

  /** By what part one accepted request raises the rate. */
  private growth(rate: number, now: number): number {
    // Requests in one second at this rate, but at least five.
    const second = Math.max(5, rate);
    if (this.ceiling === null) return Math.LN2 / second;
    const distance = rate / this.ceiling;
    if (!this.settled || distance < near.from || distance > near.to) return climbOfFar / second;
    const seconds = Math.max(climbSeconds, (climbWindows * this.windowMs) / 1000);
    const slow = (1 - fallback) / Math.max(climbRequests, seconds * rate);
    const isRaised =
      this.acceptedSinceRefusal > raisedAfterRequests &&
      now - this.lastRefusedAt > Math.max(raisedAfterMs, climbWindows * 2 * this.windowMs);
    return isRaised ? Math.max(slow, climbOfRaised / second) : slow;
  }

  private refused(now: number, sent: Sent, waitMs: number | null, wasRefused: boolean): void {
    this.periods.count('refused');
    if (this.firstRefusedAt === null) this.acceptedBeforeBlock = this.acceptedSinceRefusal;
    this.firstRefusedAt ??= now;
    this.lastRefusedAt = now;
    // A wait of 0 says nothing about the end of the block.
    this.announcedEnd = waitMs === null || waitMs === 0 ? null : now + waitMs;
    const acceptedBefore = this.acceptedSinceRefusal;
    this.acceptedSinceRefusal = 0;
    // A request that only asks for the end of the block, or was sent before the last change, tells nothing new.
    if (this.rate === null || wasRefused || sent.at < this.changedAt || this.leftAlone > 0) return;
    const searching = this.ceiling === null;
    if (!searching && acceptedBefore >= settlingRequests) this.settled = true;
    if (sent.paced) this.ceiling = this.rate;
    this.change(now, this.rate * (searching ? fallbackOfSearch : fallback));
  }

  private endPeriod(now: number): void {
    const verdict = this.periods.judge(now, this.rate === null || this.leftAlone > 0);
    if (verdict.kind === 'not-the-rate') {
      this.change(now, Math.max(this.rate ?? 0, verdict.rateBefore ?? 0));
      this.leftAlone = leftAloneFor;
    } else if (verdict.kind === 'measure-anew') {
      this.change(now, Math.min(this.rate ?? Number.POSITIVE_INFINITY, fallback * verdict.perSecond));
    }
    this.periods.begin(now, this.rate);
  }

  protected override firstHoldMs(): number {
    // Frequent requests would use a long window up again.
    return Math.max(super.firstHoldMs(), this.windowMs / 20);
  }

  protected override holdMs(now: number): number {
    const blockedMs = now - (this.firstRefusedAt ?? now);
    const { share, minHoldMs, untilMs } = firstBlock;
    const isFirst = this.windowMs === 0 && blockedMs < untilMs;
    const often = isFirst ? Math.max(minHoldMs, blockedMs * share) : Number.POSITIVE_INFINITY;
    return Math.min(super.holdMs(now), often, this.usualEnd(now) - now);
  }

  /** The next moment at which a usual window ends that began with the cycle. */
  private usualEnd(after: number): number {
    const ends = usualWindowsMs.map((window) => this.cycle.startedAt + window * (1 + lateness));
    return ends.find((end) => end > after) ?? Number.POSITIVE_INFINITY;
  }

  private change(now: number, rate: number): void {
    this.setRate(now, Math.max(slowest, rate));
    this.changedAt = now;
  }

  /**
   * A used up quota holds the requests until it is renewed. If that is soon, whole seconds are too coarse to wait for: the
   * rate sets the pace instead, once there is one.
   */
  private noteQuota(now: number, { remaining, resetMs }: Quota): void {
    const soon = resetMs <= coarseMs;
    if (soon && this.rate !== null) return;
    const resetAt = now + resetMs;
    // Answers can arrive out of order: within one window the smallest count is right.
    const before = this.quota;
    const sameWindow = before !== null && now < before.resetAt && resetAt < before.resetAt + 1000;
    const left = Math.min(remaining - this.inFlight, sameWindow ? before.left : Number.POSITIVE_INFINITY);
    this.quota = { left, resetAt };
    if (soon && left <= 0 && resetMs > 0)
      this.change(now, (this.cycle.accepted * 1000) / Math.max(1, resetAt - this.cycle.startedAt));
  }
}
