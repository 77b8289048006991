// Stops requests with a key that the service refuses. The service refuses for each endpoint
// (docs/custody-service.md 5), so each endpoint is closed separately. Single probes at growing intervals then
// try the key.
import type { Gauge } from 'prom-client';
import type { Secret } from '../../base/secret.ts';
import { type EndpointName, endpointNames } from '../../domain/endpoint.ts';
import { CustodyError } from '../../domain/errors.ts';

export interface KeyGuard {
  /**
   * Admits a request with this key.
   *
   * @throws CustodyError `key-rejected`, the one that closed the endpoint, when it may not be sent
   */
  admit(endpoint: EndpointName, key: Secret): void;
  /** Throws if `admit` would, without admitting anything, so that a request fails before it is queued. */
  check(endpoint: EndpointName, key: Secret): void;
  /** True while the endpoint is closed to this key and its next try is not due. */
  isBackedOff(endpoint: EndpointName, key: Secret): boolean;
  accepted(endpoint: EndpointName): void;
  /**
   * @returns whether this is the first refusal: no endpoint was closed before. Each failed run reports its
   * own.
   */
  rejected(endpoint: EndpointName, key: Secret, error: CustodyError): boolean;
}

export interface KeyGuardOptions {
  /** Set to 1 for an endpoint that is closed, else to 0. */
  readonly gauge: Gauge<'endpoint'>;
  readonly monotonicMs: () => number;
  /** Wait before a closed endpoint is first tried again, in milliseconds; it doubles up to `maxProbeMs`. */
  readonly probeMs: number;
  readonly maxProbeMs: number;
}

/** An endpoint that refused a key. */
interface Closed {
  readonly key: string;
  readonly error: CustodyError;
  /** When the key may next be tried. */
  probeAt: number;
  /** The wait after that try. */
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
    // A new key may be tried at every endpoint.
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
    isBackedOff(endpoint, key) {
      const state = closed.get(endpoint);
      return state !== undefined && state.key === key.reveal() && monotonicMs() < state.probeAt;
    },
    accepted(endpoint) {
      if (!closed.has(endpoint)) return;
      open(endpoint);
      // A key that works here again may work elsewhere: allow one probe per endpoint, and keep their
      // intervals.
      for (const state of closed.values()) state.probeAt = monotonicMs();
    },
    rejected(endpoint, key, error) {
      const isNews = closed.size === 0;
      const before = closed.get(endpoint);
      const state = before ?? { probeAt: monotonicMs() + probeMs, waitMs: probeMs };
      closed.set(endpoint, { ...state, key: key.reveal(), error });
      gauge.set({ endpoint }, 1);
      return isNews;
    },
  };
}
