// A key that the service refuses is not tried again and again. interface.md 5 refuses by endpoint ("no permission for
// the endpoint"), so each endpoint is closed by its own refusal and waits by itself: one request at a time asks, slowly,
// whether the key works there again. An endpoint that is refused for good lengthens no other's wait.
import type { Gauge } from 'prom-client';
import type { Secret } from '../../base/secret.ts';
import { type EndpointName, endpointNames } from '../../domain/endpoint.ts';
import { CustodyError } from '../../domain/errors.ts';

export interface KeyGuard {
  /**
   * Lets a request pass that may be sent with this key.
   *
   * @throws CustodyError `key-rejected`, the one that closed the endpoint, when it may not
   */
  admit(endpoint: EndpointName, key: Secret): void;
  /** Throws where `admit` would, and lets nothing pass: for failing before a request is queued. */
  check(endpoint: EndpointName, key: Secret): void;
  /** Whether the endpoint is closed to this key and its next try is not due. */
  rests(endpoint: EndpointName, key: Secret): boolean;
  accepted(endpoint: EndpointName): void;
  rejected(endpoint: EndpointName, key: Secret, error: CustodyError): void;
}

export interface KeyGuardOptions {
  /** 1 for an endpoint that is closed, else 0. */
  readonly gauge: Gauge<'endpoint'>;
  readonly monotonicMs: () => number;
  /** Wait of an endpoint before the key is first tried there again; it doubles up to `maxProbeMs`. */
  readonly probeMs: number;
  readonly maxProbeMs: number;
}

/** An endpoint that refused a key. */
interface Closed {
  readonly key: string;
  readonly error: CustodyError;
  /** When the key may be tried again. */
  probeAt: number;
  /** How long the try after that one waits. */
  waitMs: number;
}

export function createKeyGuard({ gauge, monotonicMs, probeMs, maxProbeMs }: KeyGuardOptions): KeyGuard {
  const closed = new Map<EndpointName, Closed>();
  for (const endpoint of endpointNames) gauge.set({ endpoint }, 0);

  const open = (endpoint: EndpointName) => {
    closed.delete(endpoint);
    gauge.set({ endpoint }, 0);
  };

  const check = (endpoint: EndpointName, key: Secret): void => {
    // Another key than the refused one gets its own chance, everywhere.
    for (const [name, refused] of closed) if (refused.key !== key.reveal()) open(name);
    const state = closed.get(endpoint);
    if (state === undefined || monotonicMs() >= state.probeAt) return;
    throw new CustodyError(state.error.message, state.error.fault);
  };

  return {
    check,
    admit(endpoint, key) {
      check(endpoint, key);
      const state = closed.get(endpoint);
      if (state === undefined) return;
      state.probeAt = monotonicMs() + state.waitMs;
      state.waitMs = Math.min(maxProbeMs, state.waitMs * 2);
    },
    rests(endpoint, key) {
      const state = closed.get(endpoint);
      return state !== undefined && state.key === key.reveal() && monotonicMs() < state.probeAt;
    },
    accepted(endpoint) {
      if (!closed.has(endpoint)) return;
      open(endpoint);
      // A key that works again here may work again elsewhere: one try each, and their waits go on from where they were.
      for (const state of closed.values()) state.probeAt = monotonicMs();
    },
    rejected(endpoint, key, error) {
      const before = closed.get(endpoint);
      const state = before ?? { probeAt: monotonicMs() + probeMs, waitMs: probeMs };
      closed.set(endpoint, { ...state, key: key.reveal(), error });
      gauge.set({ endpoint }, 1);
    },
  };
}
