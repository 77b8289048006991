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

export type KeySource = ReturnType<typeof createKeySource>;

export function createKeySource({ key, keyFile }: CustodyConfig, logger: Logger) {
  const keys: [Secret, ...Secret[]] = [key];
  let refusedKey: string | null = null;

  const readAgain = (path: string, used: string): void => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8').trim();
    } catch {
      return; // The file is missing, or is being replaced: keep the old key.
    }
    if (text === used || !headerValue.safeParse(text).success) return;
    keys.unshift(new Secret(text));
    logger.info({ variable: 'CUSTODY_API_KEY_FILE' }, 'key was read again from its file');
  };

  return {
    /** The key to use now. */
    current(): Secret {
      const used = keys[0].reveal();
      if (keyFile !== null && refusedKey === used) readAgain(keyFile, used);
      return keys[0];
    },
    /** Every key since startup, so that none of them is ever shown. */
    known: (): readonly Secret[] => keys,
    /** The service refused the key (docs/custody-service.md 5, ERR-02). */
    refused(refused: Secret) {
      refusedKey = refused.reveal();
    },
  };
}

export type KeyGuard = ReturnType<typeof createKeyGuard>;

export interface ProbeOptions {
  /** Wait before what was refused is first tried again, in milliseconds; it doubles up to `maxProbeMs`. */
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
  readonly key: string;
  readonly error: CustodyError;
  readonly probes: Probes;
}

/** @param gauge set to 1 for an endpoint that is closed, else to 0 */
export function createKeyGuard(gauge: Gauge<'endpoint'>, options: ProbeOptions) {
  const closed = new Map<EndpointName, Closed>();
  for (const endpoint of endpointNames) gauge.set({ endpoint }, 0);

  const open = (endpoint: EndpointName) => {
    closed.delete(endpoint);
    gauge.set({ endpoint }, 0);
  };

  /** Throws if `admit` would, without admitting anything, so that a request fails before it is queued. */
  const check = (endpoint: EndpointName, key: Secret): void => {
    // A new key may be tried at every endpoint.
    for (const [name, refused] of closed) if (refused.key !== key.reveal()) open(name);
    const state = closed.get(endpoint);
    if (state === undefined || state.probes.isDue()) return;
    throw new CustodyError(state.error.message, state.error.fault);
  };

  return {
    check,
    /**
     * Admits a request with this key.
     *
     * @throws CustodyError `key-rejected`, the one that closed the endpoint, when it may not be sent
     */
    admit(endpoint: EndpointName, key: Secret) {
      check(endpoint, key);
      closed.get(endpoint)?.probes.begin();
    },
    /** True while the endpoint is closed to this key and its next try is not due. */
    isBackedOff(endpoint: EndpointName, key: Secret): boolean {
      const state = closed.get(endpoint);
      return state !== undefined && state.key === key.reveal() && !state.probes.isDue();
    },
    accepted(endpoint: EndpointName) {
      if (!closed.has(endpoint)) return;
      open(endpoint);
      // A key that works here again may work elsewhere.
      for (const { probes } of closed.values()) probes.allow();
    },
    /** @returns whether no endpoint was closed before. Each failed run reports its own refusal. */
    rejected(endpoint: EndpointName, key: Secret, error: CustodyError): boolean {
      const isNews = closed.size === 0;
      const probes = closed.get(endpoint)?.probes ?? createProbes(options);
      closed.set(endpoint, { key: key.reveal(), error, probes });
      gauge.set({ endpoint }, 1);
      return isNews;
    },
  };
}
