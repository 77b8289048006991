// Decides when the next request to an endpoint may be sent: at the pace of a rate, after the waits that the
// service asks for, and after a wait of our own when the service refuses. Pure.

export interface RateSettings {
  /** Requests per second to begin with; null for no bound. */
  readonly rate: number | null;
  /** Bounds of our own wait after a refusal; the service may ask for a longer one. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
}

/** Permission to send one request. */
export interface Permit {
  readonly at: number;
  /** True when only the pace delayed the request. Then its answer shows whether the pace is allowed. */
  readonly paced: boolean;
}

export interface Reply {
  /** `unknown`: no answer, or one that says nothing about the rate. */
  readonly outcome: 'accepted' | 'refused' | 'unknown';
  /** The least wait that the service asked for. */
  readonly waitMs: number | null;
}

export interface RateController {
  /** Milliseconds until a request may be sent: 0 means now, Infinity means after the next answer. */
  delayMs(now: number): number;
  /** Whether the service has asked to wait, whatever the pace. */
  isBackingOff(now: number): boolean;
  grant(now: number): Permit;
  answered(now: number, permit: Permit, reply: Reply): void;
  /** Requests per second at present; null while unbounded. */
  readonly rate: number | null;
}

/** A delay up to this is made up for by the next requests, so that coarse timers cost no throughput. */
const maxSlackMs = 25;
/** Each further refusal makes the wait longer by this factor. */
const backoffGrowth = 1.4;

/** Keeps the rate that it is given, and waits when the service refuses or asks for it. */
export class TokenBucket implements RateController {
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

  isBackingOff(now: number): boolean {
    return this.backoffUntil > now;
  }

  delayMs(now: number): number {
    if (this.isBackingOff(now)) return this.backoffUntil - now;
    // After a refusal, a single request finds out whether requests are accepted again.
    if (this.refusals > 0 && this.inFlight > 0) return Number.POSITIVE_INFINITY;
    return this.rate === null ? 0 : Math.max(0, this.nextAt - now);
  }

  grant(now: number): Permit {
    const gap = this.gapMs();
    const slack = Math.min(maxSlackMs, Math.max(gap, 5));
    const paced = this.rate !== null && now - this.nextAt <= Math.max(2 * maxSlackMs, gap / 2);
    // A request that is sent early, to find out whether a refusal is over, delays the next by a gap at
    // most.
    this.nextAt = Math.max(Math.min(this.nextAt, now) + gap, now + gap - slack);
    this.inFlight += 1;
    return { at: now, paced };
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

  /** Our own wait after a refusal. The first is short at high rates, where it costs many requests. */
  protected backoffMs(_now: number): number {
    const { minBackoffMs, maxBackoffMs } = this.settings;
    const first = this.rate === null ? minBackoffMs : Math.min(minBackoffMs, Math.max(50, 3 * this.gapMs()));
    return Math.min(maxBackoffMs, first * backoffGrowth ** Math.min(this.refusals, 40));
  }
}
