// The gate before pages and API: it identifies the reader, and limits its requests. The two probes stand
// outside, since they have no key and reveal nothing about the account. Metrics name accounts: they are open
// to this machine alone, where a first key stops no scrape, and only without HTTP_TOKEN.
import type { Hono } from 'hono';
import { isWithin, thisMachine } from '../../base/config/networks.ts';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/secret.ts';
import type { KeyStore } from '../../store/keys/api-keys.ts';
import { type AccessEnv, mayRead, type Reader } from '../request/environment.ts';
import { Refused } from '../request/refusal.ts';
import { presentedCredential } from './credentials.ts';
import { createIdentifier, createUseNotes } from './identify.ts';
import { remoteOf } from './observe.ts';
import { createRateLimit } from './rate-limit.ts';

export interface GateOptions {
  readonly token?: Secret | null;
  /**
   * The keys in the database; without them only the token opens, or nothing is closed on an address of this
   * machine.
   */
  readonly keys?: KeyStore | null;
  /** HTTP_RATE_LIMIT; null or left out for no limit. */
  readonly rateLimit?: number | null;
  /** The most answers in progress for one reader, long ones such as CSV included. Default 32. */
  readonly mostAtOnce?: number;
  readonly logger: Logger;
  readonly monotonicMs?: () => number;
}

export interface Gate {
  /** Guards every route that is registered on the app later. */
  guard(app: Hono<AccessEnv>): void;
  /** Asks the database once whether there are keys. */
  prime(): Promise<void>;
  /** Writes when keys were last used. */
  close(): Promise<void>;
}

const probes = ['/healthz', '/readyz'];
const metricsPath = '/metrics';

export function createGate(options: GateOptions & { readonly isLocal: boolean }): Gate {
  const { token = null, keys = null, rateLimit = null, mostAtOnce = 32, isLocal, logger } = options;
  const { monotonicMs = () => performance.now() } = options;
  const notes = keys === null ? null : createUseNotes(keys, logger, monotonicMs);
  const onUse = (prefix: string) => notes?.note(prefix);
  const { identify, prime } = createIdentifier({ isLocal, token, keys, onUse, monotonicMs });
  const admit = createRateLimit(rateLimit, mostAtOnce, monotonicMs);
  return {
    guard(app) {
      app.use(async (c, next) => {
        if (probes.includes(c.req.path)) return await next();
        const credential = presentedCredential((name) => c.req.header(name), c.req.url);
        if (credential.kind === 'refused')
          throw new Refused({ kind: 'bad-request', detail: credential.detail });
        const address = c.get('address');
        const asking = {
          address,
          path: c.req.path,
          onKnown: (known: Reader) => c.set('reader', known),
        };
        const isOpenMetrics =
          c.req.path === metricsPath && token === null && isLocal && isWithin(thisMachine, address);
        const reader: Reader = isOpenMetrics
          ? { name: 'open', accounts: null }
          : await identify(credential, asking);
        c.set('reader', reader);
        if (!isOpenMetrics) c.set('confirm', () => identify(credential, asking));
        admit(c, reader.name === 'open' ? `open ${remoteOf(c)}` : reader.name);
        return await next();
      });
    },
    prime,
    close: async () => notes?.close(),
  };
}

/** For a route that shows one account, or all of them (null): refuses a key that may not read it. */
export function guardAccounts(app: Hono<AccessEnv>, path: string, account: string | null): void {
  app.use(path, async (c, next) => {
    const reader = c.get('reader');
    if (account === null ? reader.accounts === null : mayRead(reader, account)) return await next();
    throw new Refused({
      kind: 'forbidden',
      detail: `this key has no access to ${account === null ? 'all accounts, which' : 'the account that'} this page shows`,
    });
  });
}
