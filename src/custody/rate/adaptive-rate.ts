// Finds the rate that an endpoint allows (CUSTODY_RATE_LIMIT=auto). Pure, like the pace it builds on.
//
// It begins without a rate. After a first refusal it takes what was accepted per second, and doubles that until it is
// refused again; from then on it climbs slowly towards the rate that was last refused, and falls back a little at each
// refusal. Where a refusal outlasted what a rate explains, a window was used up: what was accepted from the end of one
// such block to the end of the next, over the time between, is the limit. So the end must be known well: it is as told,
// or else asked for where usual windows end and often enough in between. When many of a stretch of answers are refusals, the rate is
// measured anew. When one bad stretch follows another although the rate falls, the refusals do not come from the rate,
// which is then taken back up and left alone for a while.
import { GivenRate, type RateSettings, type Reply, type Sent } from './given-rate.ts';
import type { Quota } from './wait-hints.ts';

/** What is left of the rate after a refusal: while it climbs slowly, and while it was still doubling. */
const fallback = 0.93;
const fallbackOfSearch = 0.7;
/** Accepted requests, seconds and long windows in which a fallback is made up for, whichever takes longest. */
const climbRequests = 300;
const climbSeconds = 30;
const climbWindows = 3;
/** Requests and time without a refusal after which the limit has moved; the rate then climbs by this much a second. */
const patienceRequests = 1000;
const patienceMs = 180_000;
const climbOfMoved = 0.01;
/** A rate this far from the one last refused climbs by this much a second, or every five requests. */
const near = { from: 0.9, to: 1.1 };
const climbOfFar = 0.1;
/** A refusal after fewer accepted requests may come from what was sent before, and settles nothing. */
const settlingRequests = 4;
/**
 * A used up window refuses for so long while no rate is known. Else, so that a few refusals by chance are none: for so
 * many gaps and this, after so many accepted requests, and for this part of the time since the last block.
 */
const longBlock = { unpacedMs: 3000, gaps: 4, minMs: 1000, share: 0.15, after: 8 };
/** Windows that are usual, and how much later than the end of one it is asked about, as part of it. */
const usualWindowsMs = [5, 10, 15, 20, 30, 60, 300, 900, 3600].map((seconds) => seconds * 1000);
const lateness = 0.01;
/** A first block is asked about again after this part of the time that it has lasted, no sooner than this, for so long. */
const firstBlock = { share: 0.15, minHoldMs: 2500, untilMs: 60_000 };
/** What is taken of a rate that was measured from block to block. */
const shareOfMeasured = 0.96;
/** Answers and time in a stretch; the share of refusals that makes it a bad one, and one to measure the rate anew. */
const stretchLength = 20;
const stretchMs = 3000;
const badShare = 0.1;
const hopelessShare = 0.3;
/** Bad stretches in a row after which the rate is not to blame: a rate that is too high is found out by the second. */
const maxBadStretches = 4;
/** Answers for which the rate is then left alone. */
const letGoFor = 500;
const slowest = 0.02;
/** Headers count in whole seconds: a quota that begins anew within this time is not waited for. */
const coarseMs = 2000;

/** Requests counted from a moment on. */
interface Count {
  readonly startedAt: number;
  accepted: number;
  refused: number;
}

interface Stretch extends Count {
  readonly rateAtStart: number | null;
}

export class AdaptiveRate extends GivenRate {
  /** Since the last stretch ended. */
  private stretch: Stretch;
  /** Since the last long block ended. */
  private cycle = newCount(0);
  private begun = false;
  private lastActiveAt = Number.NEGATIVE_INFINITY;
  private changedAt = Number.NEGATIVE_INFINITY;
  private firstRefusedAt: number | null = null;
  private lastRefusedAt = Number.NEGATIVE_INFINITY;
  private recoveredAt = Number.NEGATIVE_INFINITY;
  /** When the block ends, where the last refusal told. */
  private toldEnd: number | null = null;
  /** The rate that was last refused while it set the pace. */
  private ceiling: number | null;
  private settled: boolean;
  private acceptedSinceRefusal = 0;
  private acceptedBeforeBlock = 0;
  /** The window over which the service counts, where it was seen to be long. */
  private windowMs = 0;
  private badStretches = 0;
  private rateBeforeBad: number | null = null;
  private letGo = 0;
  private quota: { left: number; readonly resetAt: number } | null = null;

  constructor(settings: RateSettings) {
    super(settings);
    this.ceiling = settings.rate;
    this.settled = settings.rate !== null;
    this.stretch = this.newStretch(0);
  }

  override delayMs(now: number): number {
    const delay = super.delayMs(now);
    const { quota } = this;
    return quota !== null && quota.left <= 0 ? Math.max(delay, quota.resetAt - now) : delay;
  }

  override sent(now: number): Sent {
    const idleMs = now - Math.max(this.lastActiveAt, this.heldUntil, this.quota?.resetAt ?? 0);
    if (!this.begun || (this.inFlight === 0 && idleMs > 2000 + this.gapMs())) {
      // Time in which nobody asked says nothing about what would have been accepted.
      this.stretch = this.newStretch(now);
      this.cycle = newCount(now);
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
    if (this.letGo > 0) this.letGo -= 1;
    if (reply.outcome === 'accepted') this.accepted(now, sent, wasRefused && this.refusals === 0);
    else this.refused(now, sent, reply.waitMs, wasRefused);
    if (reply.quota !== null) this.noteQuota(now, reply.quota);
    const answers = this.stretch.accepted + this.stretch.refused;
    if (this.refusals === 0 && answers >= stretchLength && now - this.stretch.startedAt >= stretchMs)
      this.endStretch(now);
  }

  private accepted(now: number, sent: Sent, recovered: boolean): void {
    this.stretch.accepted += 1;
    this.cycle.accepted += 1;
    this.acceptedSinceRefusal += 1;
    if (recovered) this.recovered(now);
    else if (this.rate !== null && sent.paced) this.rate *= 1 + this.growth(this.rate, now);
  }

  /** The first accepted request after refusals: how long they lasted, and what was accepted before, may be the limit. */
  private recovered(now: number): void {
    // The block ended somewhere between the last refusal and now.
    const likely = this.toldEnd ?? this.usualEnd(this.lastRefusedAt);
    const endedAt = likely <= now ? likely : (this.lastRefusedAt + now) / 2;
    const blockedMs = endedAt - (this.firstRefusedAt ?? endedAt);
    const cycleMs = endedAt - this.cycle.startedAt;
    const measured = (Math.max(1, this.cycle.accepted - 1) * 1000) / Math.max(1, cycleMs);
    const sinceBlockMs = Math.min(cycleMs, endedAt - this.recoveredAt);
    this.firstRefusedAt = null;
    this.recoveredAt = now;
    if (this.letGo > 0) return;
    const long = this.isLong(blockedMs) && blockedMs >= longBlock.share * sinceBlockMs;
    if (long && this.windowMs === 0 && this.cycle.accepted === 1) {
      // Refused from the start: others used the window up, and nothing was learned of what it allows.
      this.cycle = { ...newCount(endedAt), accepted: 1 };
      this.stretch = this.newStretch(now);
    } else if (long) {
      // The block cannot have ended before the last refusal, so the limit cannot be above this.
      const bound = (this.cycle.accepted * 1000) / (this.lastRefusedAt - this.cycle.startedAt);
      this.ceiling = Math.max(slowest, bound);
      this.settled = true;
      this.windowMs = cycleMs;
      this.change(now, measured * shareOfMeasured);
      this.cycle = newCount(now);
      this.stretch = this.newStretch(now);
    } else if (this.rate === null) {
      this.change(now, measured * fallback);
      this.stretch = this.newStretch(now);
    }
  }

  /** A bucket or a sliding window that was overdrawn by one request lets in another after a gap or two. */
  private isLong(blockedMs: number): boolean {
    const { unpacedMs, gaps, minMs, after } = longBlock;
    if (this.rate === null) return blockedMs >= unpacedMs;
    return this.acceptedBeforeBlock >= after && blockedMs >= Math.max(minMs, gaps * this.gapMs());
  }

  /** By how much one accepted request lifts the rate, as part of it. */
  private growth(rate: number, now: number): number {
    // What would be done in a second at this rate, but not in fewer than five requests.
    const second = Math.max(5, rate);
    if (this.ceiling === null) return Math.LN2 / second;
    const distance = rate / this.ceiling;
    if (!this.settled || distance < near.from || distance > near.to) return climbOfFar / second;
    const seconds = Math.max(climbSeconds, (climbWindows * this.windowMs) / 1000);
    const slow = (1 - fallback) / Math.max(climbRequests, seconds * rate);
    const moved =
      this.acceptedSinceRefusal > patienceRequests &&
      now - this.lastRefusedAt > Math.max(patienceMs, climbWindows * 2 * this.windowMs);
    return moved ? Math.max(slow, climbOfMoved / second) : slow;
  }

  private refused(now: number, sent: Sent, waitMs: number | null, wasRefused: boolean): void {
    this.stretch.refused += 1;
    if (this.firstRefusedAt === null) this.acceptedBeforeBlock = this.acceptedSinceRefusal;
    this.firstRefusedAt ??= now;
    this.lastRefusedAt = now;
    // A wait that is over when it is told says nothing about the end of the block.
    this.toldEnd = waitMs === null || waitMs === 0 ? null : now + waitMs;
    const acceptedBefore = this.acceptedSinceRefusal;
    this.acceptedSinceRefusal = 0;
    // One that only asks whether the wait is over, or that was sent before the last change, tells nothing new.
    if (this.rate === null || wasRefused || sent.at < this.changedAt || this.letGo > 0) return;
    const searching = this.ceiling === null;
    if (!searching && acceptedBefore >= settlingRequests) this.settled = true;
    if (sent.paced) this.ceiling = this.rate;
    this.change(now, this.rate * (searching ? fallbackOfSearch : fallback));
  }

  private endStretch(now: number): void {
    const { accepted, refused, startedAt, rateAtStart } = this.stretch;
    const share = refused / (accepted + refused);
    if (share < badShare || this.rate === null || this.letGo > 0) {
      this.badStretches = 0;
    } else {
      this.badStretches += 1;
      if (this.badStretches === 1) this.rateBeforeBad = rateAtStart;
      const measured = (accepted * 1000) / Math.max(1, now - startedAt);
      if (this.badStretches >= maxBadStretches) {
        this.change(now, Math.max(this.rate, this.rateBeforeBad ?? 0));
        this.letGo = letGoFor;
        this.badStretches = 0;
      } else if (share >= hopelessShare) {
        this.change(now, Math.min(this.rate, fallback * measured));
      }
    }
    this.stretch = this.newStretch(now);
  }

  private newStretch(now: number): Stretch {
    return { ...newCount(now), rateAtStart: this.rate };
  }

  protected override firstHoldMs(): number {
    // A long window is soon used up again when it is asked about too often.
    return Math.max(super.firstHoldMs(), this.windowMs / 20);
  }

  protected override holdMs(now: number): number {
    const blockedMs = now - (this.firstRefusedAt ?? now);
    const { share, minHoldMs, untilMs } = firstBlock;
    const isFirst = this.windowMs === 0 && blockedMs < untilMs;
    const often = isFirst ? Math.max(minHoldMs, blockedMs * share) : Number.POSITIVE_INFINITY;
    return Math.min(super.holdMs(now), often, this.usualEnd(now) - now);
  }

  /** When the next of the usual windows that could have begun with the cycle will have ended. */
  private usualEnd(after: number): number {
    const ends = usualWindowsMs.map((window) => this.cycle.startedAt + window * (1 + lateness));
    return ends.find((end) => end > after) ?? Number.POSITIVE_INFINITY;
  }

  private change(now: number, rate: number): void {
    this.setRate(now, Math.max(slowest, rate));
    this.changedAt = now;
  }

  /**
   * A used up quota holds the requests until it begins anew. Where that is soon, whole seconds are too coarse to wait
   * by, again and again: the rate is kept instead, once there is one.
   */
  private noteQuota(now: number, { remaining, resetMs }: Quota): void {
    const soon = resetMs <= coarseMs;
    if (soon && this.rate !== null) return;
    const resetAt = now + resetMs;
    // Answers cross each other: within one window the smallest count is the one to believe.
    const before = this.quota;
    const sameWindow = before !== null && now < before.resetAt && resetAt < before.resetAt + 1000;
    const left = Math.min(remaining - this.inFlight, sameWindow ? before.left : Number.POSITIVE_INFINITY);
    this.quota = { left, resetAt };
    if (soon && left <= 0 && resetMs > 0)
      this.change(now, (this.cycle.accepted * 1000) / Math.max(1, resetAt - this.cycle.startedAt));
  }
}

function newCount(startedAt: number): Count {
  return { startedAt, accepted: 0, refused: 0 };
}
