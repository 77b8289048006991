// When the next request to an endpoint may be sent: the pace of a rate, and the waits that the service asks for or that
// follow a refusal. Pure: it is told the time of everything and never looks at a clock.
import type { Quota } from './wait-hints.ts';

export interface RateSettings {
  /** Requests per second to begin with; null for no bound. */
  readonly rate: number | null;
  /** Bounds of our own wait after a refusal; one that the service asks for may be longer. */
  readonly minHoldMs: number;
  readonly maxHoldMs: number;
}

/** One request on its way. */
export interface Sent {
  readonly at: number;
  /** True when the pace alone kept it from being sent earlier: only then does its answer tell about the pace. */
  readonly paced: boolean;
}

export interface Reply {
  /** `unknown`: no answer, or one that says nothing about the rate. */
  readonly outcome: 'accepted' | 'refused' | 'unknown';
  /** How long the service asked to wait at least. */
  readonly waitMs: number | null;
  readonly quota: Quota | null;
}

export interface RateController {
  /** Milliseconds until a request may be sent; 0: now; Infinity: not before an answer has come in. */
  delayMs(now: number): number;
  sent(now: number): Sent;
  answered(now: number, sent: Sent, reply: Reply): void;
  /** Requests per second at present; null while unbounded. */
  readonly rate: number | null;
}

/** A request that is late by less than this may be made up for, so that coarse timers cost no throughput. */
const maxSlackMs = 25;
/** Each wait after another refusal is this much longer. */
const holdGrowth = 1.4;

/** Keeps the rate it was given, or none; waits when the service refuses or says so. */
export class GivenRate implements RateController {
  rate: number | null;
  protected inFlight = 0;
  /** Refusals since the last accepted request. */
  protected refusals = 0;
  protected heldUntil = Number.NEGATIVE_INFINITY;
  private readonly settings: RateSettings;
  private nextAt = Number.NEGATIVE_INFINITY;

  constructor(settings: RateSettings) {
    this.settings = settings;
    this.rate = settings.rate;
  }

  delayMs(now: number): number {
    if (this.heldUntil > now) return this.heldUntil - now;
    // After a refusal one request alone finds out whether it is over.
    if (this.refusals > 0 && this.inFlight > 0) return Number.POSITIVE_INFINITY;
    return this.rate === null ? 0 : Math.max(0, this.nextAt - now);
  }

  sent(now: number): Sent {
    const gap = this.gapMs();
    const slack = Math.min(maxSlackMs, Math.max(gap, 5));
    const paced = this.rate !== null && now - this.nextAt <= Math.max(2 * maxSlackMs, gap / 2);
    this.nextAt = Math.max(this.nextAt + gap, now + gap - slack);
    this.inFlight += 1;
    return { at: now, paced };
  }

  answered(now: number, _sent: Sent, { outcome, waitMs }: Reply): void {
    this.inFlight -= 1;
    // Refusals that were on their way together are one refusal.
    const known = this.heldUntil > now;
    if (outcome === 'accepted' && !known) this.refusals = 0;
    if (waitMs !== null) this.heldUntil = Math.max(this.heldUntil, now + waitMs);
    if (outcome !== 'refused' || known) return;
    // What the service asks for is the least wait: 0 or a date that is over must not end the waiting.
    this.heldUntil = Math.max(this.heldUntil, now + this.holdMs(now));
    this.refusals += 1;
  }

  /** Changes the rate; the next request keeps its distance from the last. */
  protected setRate(now: number, rate: number): void {
    if (this.rate === null) this.nextAt = now + 1000 / rate;
    this.rate = rate;
  }

  protected gapMs(): number {
    return this.rate === null ? 0 : 1000 / this.rate;
  }

  /** The wait after a first refusal: short where requests are many, since it is lost to them. */
  protected firstHoldMs(): number {
    const { minHoldMs } = this.settings;
    return this.rate === null ? minHoldMs : Math.min(minHoldMs, Math.max(50, 3 * this.gapMs()));
  }

  /** Our own wait after a refusal. */
  protected holdMs(_now: number): number {
    return Math.min(this.settings.maxHoldMs, this.firstHoldMs() * holdGrowth ** Math.min(this.refusals, 40));
  }
}
