// A key that the service refuses is not tried again and again. interface.md 5 refuses by endpoint ("no permission for
// the endpoint"), so each endpoint is closed by its own refusal; after that, one request at a time asks, slowly, whether
// the key works again. An accepted one opens everything.
import type { Gauge } from 'prom-client';
import type { Secret } from '../base/secret.ts';
import { CustodyError } from '../domain/errors.ts';
import type { EndpointName } from './endpoints.ts';

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
  readonly gauge: Gauge;
  readonly monotonicMs: () => number;
  /** Wait before the key is first tried again; it doubles up to `maxProbeMs`. */
  readonly probeMs: number;
  readonly maxProbeMs: number;
}

export function createKeyGuard({ gauge, monotonicMs, probeMs, maxProbeMs }: KeyGuardOptions): KeyGuard {
  const closed = new Map<EndpointName, CustodyError>();
  let rejectedKey: string | null = null;
  let probeAt = 0;
  let waitMs = probeMs;

  const open = () => {
    closed.clear();
    rejectedKey = null;
    waitMs = probeMs;
    gauge.set(0);
  };
  gauge.set(0);

  const check = (endpoint: EndpointName, key: Secret): void => {
    // Another key than the refused one gets its own chance.
    if (rejectedKey !== null && key.reveal() !== rejectedKey) open();
    const error = closed.get(endpoint);
    if (error !== undefined && monotonicMs() < probeAt) throw new CustodyError(error.message, error.fault);
  };

  return {
    check,
    admit(endpoint, key) {
      check(endpoint, key);
      if (!closed.has(endpoint)) return;
      probeAt = monotonicMs() + waitMs;
      waitMs = Math.min(maxProbeMs, waitMs * 2);
    },
    rests: (endpoint, key) => key.reveal() === rejectedKey && closed.has(endpoint) && monotonicMs() < probeAt,
    accepted(endpoint) {
      if (closed.has(endpoint)) open();
    },
    rejected(endpoint, key, error) {
      if (closed.size === 0) probeAt = monotonicMs() + waitMs;
      closed.set(endpoint, error);
      rejectedKey = key.reveal();
      gauge.set(1);
    },
  };
}
