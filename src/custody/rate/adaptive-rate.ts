// Decides when the next request to an endpoint may be sent: at the pace of a rate, after the waits that the
// service asks for, and after a wait of our own when the service refuses. Pure.
//
// AdaptiveRate finds the rate that an endpoint allows (CUSTODY_RATE_LIMIT=auto): additive increase,
// multiplicative decrease.
//
// - It begins without a rate. The first refusal shows how many were accepted per second.
// - Increase and decrease: from then on the rate rises slowly towards the ceiling, the rate last refused, and
//   falls a little at each refusal; far from the ceiling, or without one, it rises fast.
// - Window: refusals that last longer than the rate explains mean that the service counts over a long window,
//   and that it was used up. The limit is what was accepted from the end of one such outage to the end of the
//   next, over that time; so a probe asks for the end where usual windows end.
//
// What each rule gains is measured: docs/decisions/bottleneck-and-the-rate-controller.md

export interface RateSettings {
  /** Requests per second to begin with; null for no bound. */
  readonly rate: number | null;
  /** Bounds of our own wait after a refusal; the service may ask for a longer one. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
}

/** Permission to send one request. */
export interface Permit {
  /** True when only the pace delayed the request. Then its answer shows whether the pace is allowed. */
  readonly paced: boolean;
}

export interface Reply {
  /** `unknown`: no answer, or one that says nothing about the rate. */
  readonly outcome: 'accepted' | 'refused' | 'unknown';
  /** The least wait that the service asked for. */
  readonly waitMs: number | null;
}

/** A delay up to this is made up for by the next requests, so that coarse timers cost no throughput. */
const maxSlackMs = 25;
/** Each further refusal makes the wait longer by this factor. */
const backoffGrowth = 1.4;

/** Keeps the rate that it is given, and waits when the service refuses or asks for it. */
export class TokenBucket {
  /** Requests per second at present; null while unbounded. */
  rate: number | null;
  protected inFlight = 0;
  /** Refusals since the last accepted request. */
  protected refusals = 0;
  protected backoffUntil = Number.NEGATIVE_INFINITY;
  private readonly settings: RateSettings;
  private nextAt = Number.NEGATIVE_INFINITY;

  constructor(settings: RateSettings) {
    this.settings = settings;
    this.rate = settings.rate;
  }

  /** Whether the service has asked to wait, whatever the pace. */
  isBackingOff(now: number): boolean {
    return this.backoffUntil > now;
  }

  /** Milliseconds until a request may be sent: 0 means now, Infinity means after the next answer. */
  delayMs(now: number): number {
    if (this.isBackingOff(now)) return this.backoffUntil - now;
    // After a refusal, a single request finds out whether requests are accepted again.
    if (this.refusals > 0 && this.inFlight > 0) return Number.POSITIVE_INFINITY;
    return this.rate === null ? 0 : Math.max(0, this.nextAt - now);
  }

  grant(now: number): Permit {
    const gap = this.gapMs();
    const paced = this.rate !== null && now - this.nextAt <= Math.max(2 * maxSlackMs, gap / 2);
    // A request that is sent early, to find out whether a refusal is over, delays the next by a gap at
    // most.
    this.nextAt = Math.max(Math.min(this.nextAt, now) + gap, now + gap - maxSlackMs);
    this.inFlight += 1;
    return { paced };
  }

  answered(now: number, _permit: Permit, { outcome, waitMs }: Reply): void {
    this.inFlight -= 1;
    // Refusals of requests that were in flight together count as one.
    const known = this.backoffUntil > now;
    if (outcome === 'accepted' && !known) this.refusals = 0;
    if (waitMs !== null) this.backoffUntil = Math.max(this.backoffUntil, now + waitMs);
    if (outcome !== 'refused' || known) return;
    // The service asks for the least wait: 0 or a past date does not end our own.
    this.backoffUntil = Math.max(this.backoffUntil, now + this.backoffMs(now));
    this.refusals += 1;
  }

  /** Sets the rate. The next request keeps its distance from the last one. */
  protected setRate(now: number, rate: number): void {
    if (this.rate === null) this.nextAt = now + 1000 / rate;
    this.rate = rate;
  }

  protected gapMs(): number {
    return this.rate === null ? 0 : 1000 / this.rate;
  }

  /** Our own wait after a refusal. */
  protected backoffMs(_now: number): number {
    const { minBackoffMs, maxBackoffMs } = this.settings;
    return Math.min(maxBackoffMs, minBackoffMs * backoffGrowth ** Math.min(this.refusals, 40));
  }
}

/** The rate after a refusal, as a part of the rate before. */
const decrease = 0.93;
/** A decrease is made up for after so many accepted requests or seconds, whichever take longer. */
const increaseOver = { requests: 300, seconds: 30 };
/** Outside these bounds around the ceiling, the rate rises by this part a second, or every five requests. */
const nearCeiling = { from: 0.9, to: 1.1 };
const increaseOfFar = 0.1;
/** A bucket or sliding window that one request exceeded accepts another sooner: after a gap or two. */
const longOutage = { gaps: 4, minMs: 1000 };
const usualWindowsMs = [5, 10, 15, 20, 30, 60, 300, 900, 3600].map((seconds) => seconds * 1000);
/** The lowest rate, in requests per second. */
const slowest = 0.02;

export class AdaptiveRate extends TokenBucket {
  /** Accepted requests since the last long outage ended. */
  #cycle = { startedAt: 0, accepted: 0 };
  #lastActiveAt = Number.NEGATIVE_INFINITY;
  #firstRefusedAt: number | null = null;
  #lastRefusedAt = Number.NEGATIVE_INFINITY;
  /** The rate that was last refused; null before. */
  #ceiling: number | null;

  constructor(settings: RateSettings) {
    super(settings);
    this.#ceiling = settings.rate;
  }

  override grant(now: number): Permit {
    const idleMs = now - Math.max(this.#lastActiveAt, this.backoffUntil);
    // Idle time says nothing about what would have been accepted, nor when an outage ended.
    if (this.inFlight === 0 && idleMs > 2000 + this.gapMs()) {
      this.#cycle = { startedAt: now, accepted: 0 };
      this.#firstRefusedAt = null;
    }
    this.#lastActiveAt = now;
    return super.grant(now);
  }

  override answered(now: number, permit: Permit, reply: Reply): void {
    const wasRefused = this.refusals > 0;
    super.answered(now, permit, reply);
    this.#lastActiveAt = now;
    if (reply.outcome === 'accepted') this.#accepted(now, permit, wasRefused && this.refusals === 0);
    if (reply.outcome === 'refused') this.#refused(now, wasRefused);
  }

  #accepted(now: number, permit: Permit, recovered: boolean): void {
    this.#cycle.accepted += 1;
    if (recovered) this.#recovered(now);
    else if (this.rate !== null && permit.paced) this.rate *= 1 + this.#increase(this.rate);
  }

  /**
   * The first request accepted after an outage. Its length, and what was accepted before, may show the limit.
   */
  #recovered(now: number): void {
    // The outage ended somewhere between the last refusal and now.
    const endedAt = (this.#lastRefusedAt + now) / 2;
    if (endedAt <= this.#cycle.startedAt) return;
    const outageMs = endedAt - (this.#firstRefusedAt ?? endedAt);
    const cycleMs = endedAt - this.#cycle.startedAt;
    const measured = (Math.max(1, this.#cycle.accepted - 1) * 1000) / Math.max(1, cycleMs);
    this.#firstRefusedAt = null;
    const long = outageMs >= Math.max(longOutage.minMs, longOutage.gaps * this.gapMs());
    if (long && this.#cycle.accepted === 1) {
      // Refused from the start: somebody else used the window up, so its size is still unknown.
      this.#cycle = { startedAt: endedAt, accepted: 1 };
    } else if (long) {
      // The outage cannot have ended before the last refusal, so the limit cannot be above this.
      const bound = (this.#cycle.accepted * 1000) / (this.#lastRefusedAt - this.#cycle.startedAt);
      this.#ceiling = Math.max(slowest, bound);
      this.#change(now, measured);
      this.#cycle = { startedAt: now, accepted: 0 };
    } else if (this.rate === null) {
      this.#change(now, measured * decrease);
    }
  }

  /** By what part one accepted request raises the rate. */
  #increase(rate: number): number {
    // Requests in one second at this rate, but at least five.
    const second = Math.max(5, rate);
    const distance = rate / (this.#ceiling ?? Number.POSITIVE_INFINITY);
    if (distance < nearCeiling.from || distance > nearCeiling.to) return increaseOfFar / second;
    return (1 - decrease) / Math.max(increaseOver.requests, increaseOver.seconds * rate);
  }

  #refused(now: number, wasRefused: boolean): void {
    this.#firstRefusedAt ??= now;
    this.#lastRefusedAt = now;
    // A probe for the end of an outage shows nothing new.
    if (this.rate === null || wasRefused) return;
    this.#ceiling = this.rate;
    this.#change(now, this.rate * decrease);
  }

  protected override backoffMs(now: number): number {
    const ends = usualWindowsMs.map((window) => this.#cycle.startedAt + window);
    const usualEnd = ends.find((end) => end > now) ?? Number.POSITIVE_INFINITY;
    return Math.min(super.backoffMs(now), usualEnd - now);
  }

  #change(now: number, rate: number): void {
    this.setRate(now, Math.max(slowest, rate));
  }
}
