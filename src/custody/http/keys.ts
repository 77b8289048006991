// The key to send, and whether it may be sent. After a refusal its file is read again, so the key can be
// rotated without a restart; before one it is not: it may be half written, and the old key still works. The
// service refuses for each endpoint (docs/custody-service.md 5), so each endpoint is closed separately. Single
// probes at growing intervals then try the key.
import { readFileSync } from 'node:fs';
import type { Gauge } from 'prom-client';
import type { CustodyConfig } from '../../base/config/config.ts';
import { headerValue } from '../../base/config/options.ts';
import type { Logger } from '../../base/logger.ts';
import { Secret } from '../../base/secret.ts';
import { type EndpointName, endpointNames } from '../../domain/endpoint.ts';
import { CustodyError } from '../../domain/errors.ts';

export interface ProbeOptions {
  /** Wait before the first retry of a refused key, in milliseconds; it doubles up to `maxProbeMs`. */
  readonly probeMs: number;
  readonly maxProbeMs: number;
  readonly monotonicMs: () => number;
}

export type Probes = ReturnType<typeof createProbes>;

/** The tries of a key or password after its refusal: one at a time, at growing intervals. */
export function createProbes({ probeMs, maxProbeMs, monotonicMs }: ProbeOptions) {
  let waitMs = probeMs;
  let dueAt = monotonicMs() + probeMs;
  return {
    isDue: () => monotonicMs() >= dueAt,
    /** A try begins; the next one is due after the wait. */
    begin() {
      dueAt = monotonicMs() + waitMs;
      waitMs = Math.min(maxProbeMs, waitMs * 2);
    },
    /** Allows a try now, which changes no interval. */
    allow() {
      dueAt = monotonicMs();
    },
  };
}

/** An endpoint that refused a key. */
interface Closed {
  readonly error: CustodyError;
  readonly probes: Probes;
}

export type Keys = ReturnType<typeof createKeys>;

/** @param gauge set to 1 for an endpoint that is closed, else to 0 */
export function createKeys(
  { key, keyFile }: CustodyConfig,
  logger: Logger,
  gauge: Gauge<'endpoint'>,
  options: ProbeOptions,
) {
  const known: [Secret, ...Secret[]] = [key];
  const closed = new Map<EndpointName, Closed>();
  for (const endpoint of endpointNames) gauge.set({ endpoint }, 0);

  const open = (endpoint: EndpointName) => {
    closed.delete(endpoint);
    gauge.set({ endpoint }, 0);
  };

  const readAgain = (path: string, refused: string): void => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8').trim();
    } catch {
      return; // The file is missing, or is being replaced: keep the old key.
    }
    if (text === refused || !headerValue.safeParse(text).success) return;
    known.unshift(new Secret(text));
    // A new key may be tried at every endpoint.
    for (const endpoint of closed.keys()) open(endpoint);
    logger.info({ variable: 'CUSTODY_API_KEY_FILE' }, 'key was read again from its file');
  };

  /** How the endpoint is closed to the key; null if it is not, or if its next try is due. */
  const backedOff = (endpoint: EndpointName): Closed | null => {
    if (keyFile !== null && closed.size > 0) readAgain(keyFile, known[0].reveal());
    const state = closed.get(endpoint);
    return state === undefined || state.probes.isDue() ? null : state;
  };

  /** Throws if `admit` would, without admitting anything, so that a request fails before it is queued. */
  const check = (endpoint: EndpointName): void => {
    const state = backedOff(endpoint);
    if (state !== null) throw new CustodyError(state.error.message, state.error.fault);
  };

  return {
    /** Every key since startup, so that none of them is ever shown. */
    known: (): readonly Secret[] => known,
    check,
    /**
     * @returns the key to send now
     * @throws CustodyError `key-rejected`, the one that closed the endpoint, when it may not be sent
     */
    admit(endpoint: EndpointName): Secret {
      check(endpoint);
      closed.get(endpoint)?.probes.begin();
      return known[0];
    },
    /** True while the endpoint is closed to the key and its next try is not due. */
    isBackedOff: (endpoint: EndpointName): boolean => backedOff(endpoint) !== null,
    accepted(endpoint: EndpointName) {
      if (!closed.has(endpoint)) return;
      open(endpoint);
      // A key that works here again may work elsewhere.
      for (const { probes } of closed.values()) probes.allow();
    },
    /**
     * The service refused the key (docs/custody-service.md 5, ERR-02).
     *
     * @returns whether no endpoint was closed before. Each failed run reports its own refusal.
     */
    rejected(endpoint: EndpointName, key: Secret, error: CustodyError): boolean {
      // Sent before another key was read.
      if (key !== known[0]) return false;
      const isNews = closed.size === 0;
      closed.set(endpoint, { error, probes: closed.get(endpoint)?.probes ?? createProbes(options) });
      gauge.set({ endpoint }, 1);
      return isNews;
    },
  };
}
