// When the next request to an endpoint may be sent. Pure: it is told the time of everything and never looks at a clock.
//
// A fixed rate is kept; `off` keeps none; both still wait when the service says so. `auto` finds the rate: it begins
// without one; after a first refusal it takes what was accepted per second; from then on it climbs slowly and falls back
// a little at each refusal. When many of a stretch of answers are refusals, the rate is measured anew; when measuring
// and slowing down again and again changes nothing about the share of refusals, they do not come from the rate, and it
// is let go.
import type { Quota } from './wait-hints.ts';

export type RateSetting = number | 'auto' | 'off';

export interface RateSettings {
  readonly setting: RateSetting;
  /** Requests per second learned earlier; counts in `auto` only. */
  readonly learned: number | null;
  /** Bounds of the wait after a refusal that names none. */
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
  /** How long the service asked to wait. */
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

/** Where the rate goes after a refusal, and after a measurement, as part of what it was. */
const fallback = 0.93;
/** Accepted requests after which a fallback is made up for. */
const climb = 300;
/** How much faster it climbs while it is far from the rate that was last refused. */
const haste = 10;
/** Accepted requests without a refusal after which the limit has moved: the climb then gets ever faster. */
const patience = 1000;
/** Answers in a stretch, and the share of refusals that makes it a bad one. */
const stretchLength = 20;
const badShare = 0.1;
/** Bad stretches in a row, each hardly better than the one before, after which the rate is not to blame. */
const maxBadStretches = 4;
/** Answers for which the rate is then left alone. */
const letGoFor = 500;
const slowest = 0.02;
/** A request that is late by less than this may be made up for, so that coarse timers cost no throughput. */
const maxSlackMs = 25;

interface Stretch {
  readonly startedAt: number;
  accepted: number;
  refused: number;
}

export function createRateController(settings: RateSettings): RateController {
  return settings.setting === 'auto' ? new AdaptiveRate(settings) : new GivenRate(settings);
}

/** Pace and holds: what every setting has. */
class GivenRate implements RateController {
  rate: number | null;
  protected readonly settings: RateSettings;
  protected inFlight = 0;
  /** Refusals since the last accepted request. */
  protected refusals = 0;
  private nextAt = Number.NEGATIVE_INFINITY;
  private heldUntil = Number.NEGATIVE_INFINITY;

  constructor(settings: RateSettings) {
    this.settings = settings;
    this.rate = typeof settings.setting === 'number' ? settings.setting : null;
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
    if (outcome === 'accepted') this.refusals = 0;
    if (outcome === 'refused') {
      this.hold(now + (waitMs ?? this.holdMs()));
      this.refusals += 1;
    } else if (waitMs !== null) {
      this.hold(now + waitMs);
    }
  }

  protected gapMs(): number {
    return this.rate === null ? 0 : 1000 / this.rate;
  }

  protected get heldTo(): number {
    return this.heldUntil;
  }

  private hold(until: number): void {
    this.heldUntil = Math.max(this.heldUntil, until);
  }

  private holdMs(): number {
    const { minHoldMs, maxHoldMs } = this.settings;
    const first = this.rate === null ? minHoldMs : Math.min(minHoldMs, Math.max(50, 3 * this.gapMs()));
    return Math.min(maxHoldMs, first * 2 ** Math.min(this.refusals, 20));
  }
}

class AdaptiveRate extends GivenRate {
  private stretch: Stretch | null = null;
  private lastActiveAt = Number.NEGATIVE_INFINITY;
  private changedAt = Number.NEGATIVE_INFINITY;
  /** The rate that was last refused while it set the pace. */
  private ceiling: number | null;
  private acceptedSinceRefusal = 0;
  private badStretches = 0;
  private badShareBefore = 1;
  private rateBeforeBad: number | null = null;
  private letGo = 0;
  private quota: { left: number; readonly resetAt: number } | null = null;

  constructor(settings: RateSettings) {
    super(settings);
    this.rate = settings.learned;
    this.ceiling = settings.learned;
  }

  override delayMs(now: number): number {
    const delay = super.delayMs(now);
    const { quota } = this;
    return quota !== null && quota.left <= 0 ? Math.max(delay, quota.resetAt - now) : delay;
  }

  override sent(now: number): Sent {
    const idleMs = now - Math.max(this.lastActiveAt, this.heldTo);
    if (this.stretch === null || (this.inFlight === 0 && idleMs > 2000 + this.gapMs()))
      this.stretch = { startedAt: now, accepted: 0, refused: 0 };
    this.lastActiveAt = now;
    if (this.quota !== null) this.quota.left -= 1;
    return super.sent(now);
  }

  override answered(now: number, sent: Sent, reply: Reply): void {
    const recovering = this.refusals > 0;
    super.answered(now, sent, reply);
    this.lastActiveAt = now;
    this.noteQuota(now, reply.quota);
    const { stretch } = this;
    if (reply.outcome === 'unknown' || stretch === null) return;
    if (reply.outcome === 'accepted') {
      stretch.accepted += 1;
      this.accepted(now, sent, stretch, recovering);
    } else {
      stretch.refused += 1;
      this.refused(now, sent, recovering);
    }
    if (this.letGo > 0) this.letGo -= 1;
    const answers = stretch.accepted + stretch.refused;
    if (answers >= stretchLength && this.refusals === 0 && this.rate !== null) this.endStretch(now, stretch);
    else if (this.rate === null && stretch.refused === 0 && now - stretch.startedAt > 10_000)
      this.stretch = { startedAt: now, accepted: 0, refused: 0 };
  }

  private accepted(now: number, sent: Sent, stretch: Stretch, recovering: boolean): void {
    this.acceptedSinceRefusal += 1;
    if (this.rate === null) {
      if (recovering && this.letGo === 0) {
        this.rateBeforeBad = null;
        this.change(now, fallback * perSecond(stretch, now));
      }
      return;
    }
    if (!sent.paced) return;
    const late = this.acceptedSinceRefusal - patience;
    const far = this.ceiling === null || this.rate < 0.9 * this.ceiling;
    const factor = far ? haste : late > 0 ? Math.min(haste, 2 ** (late / 200)) : 1;
    this.rate *= 1 + ((1 - fallback) / climb) * factor;
  }

  private refused(now: number, sent: Sent, recovering: boolean): void {
    this.acceptedSinceRefusal = 0;
    // A request that was sent before the last change, or that only asks whether the wait is over, tells nothing new.
    if (this.rate === null || recovering || sent.at < this.changedAt || this.letGo > 0) return;
    if (sent.paced) this.ceiling = this.rate;
    this.change(now, this.rate * fallback);
  }

  private endStretch(now: number, stretch: Stretch): void {
    const share = stretch.refused / (stretch.accepted + stretch.refused);
    this.stretch = { startedAt: now, accepted: 0, refused: 0 };
    if (share < badShare) {
      this.badStretches = 0;
      return;
    }
    if (this.letGo > 0 || this.rate === null) return;
    const noBetter = this.badStretches > 0 && share > this.badShareBefore / 2;
    this.badStretches = noBetter ? this.badStretches + 1 : 1;
    if (this.badStretches === 1) this.rateBeforeBad = this.rate;
    this.badShareBefore = share;
    if (this.badStretches < maxBadStretches) {
      this.change(now, Math.min(this.rate, fallback * perSecond(stretch, now)));
      return;
    }
    this.rate = this.rateBeforeBad;
    this.letGo = letGoFor;
    this.badStretches = 0;
  }

  private change(now: number, rate: number): void {
    this.rate = Math.max(slowest, rate);
    this.changedAt = now;
  }

  /** Answers cross each other: within one window the smallest count is the one to believe. */
  private noteQuota(now: number, quota: Quota | null): void {
    if (quota === null) return;
    const resetAt = now + quota.resetMs;
    const left = quota.remaining - this.inFlight;
    const sameWindow = this.quota !== null && now < this.quota.resetAt && resetAt < this.quota.resetAt + 1000;
    this.quota = { left: sameWindow ? Math.min(this.quota?.left ?? left, left) : left, resetAt };
  }
}

function perSecond({ accepted, startedAt }: Stretch, now: number): number {
  return (accepted * 1000) / Math.max(1, now - startedAt);
}
