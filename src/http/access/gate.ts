// The gate before pages and API: it identifies the reader, and limits its requests. The two probes stand
// outside, since they have no key and reveal nothing about the account. Metrics name accounts: they are open
// to this machine alone, where a first key stops no scrape, and only without HTTP_TOKEN.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Hono } from 'hono';
import { digestOfKey, isApiKey } from '../../base/api-key.ts';
import { isWithin, readNetworks, thisMachine } from '../../base/config/networks.ts';
import type { Logger } from '../../base/logger.ts';
import { sleep } from '../../base/loop.ts';
import type { Secret } from '../../base/secret.ts';
import { within } from '../../base/waiting.ts';
import type { KeyListing, KeyScope, KeyStore, KeysFound } from '../../store/keys/api-keys.ts';
import { type AccessEnv, mayRead, type Reader } from '../request/environment.ts';
import { Refused } from '../request/refusal.ts';
import { type Credential, presentedCredential } from './credentials.ts';
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

interface FullGateOptions extends GateOptions {
  /** The server listens for this machine alone. */
  readonly isLocal: boolean;
}

export function createGate(options: FullGateOptions): Gate {
  const { token = null, keys = null, rateLimit = null, mostAtOnce = 32, isLocal, logger } = options;
  const { monotonicMs = () => performance.now() } = options;
  const notes = keys === null ? null : createUseNotes(keys, logger, monotonicMs);
  const onUse = (prefix: string) => notes?.note(prefix);
  const { identify, prime } = createIdentifier({ isLocal, token, keys, monotonicMs }, onUse);
  const admit = createRateLimit(rateLimit, mostAtOnce, monotonicMs);
  return {
    guard(app) {
      app.use(async (c, next) => {
        if (probes.includes(c.req.path)) return await next();
        const credential = presentedCredential((name) => c.req.header(name), c.req.url);
        if (credential.kind === 'refused')
          throw new Refused({ kind: 'bad-request', detail: credential.detail });
        const address = c.get('address');
        const { path } = c.req;
        const asking = { address, path, onKnown: (known: Reader) => c.set('reader', known) };
        const isOpenMetrics =
          path === metricsPath && token === null && isLocal && isWithin(thisMachine, address);
        const reader = isOpenMetrics ? openReader : await identify(credential, asking);
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

// Who asks: by a key, by HTTP_TOKEN, or anybody where reading is open. Invariants: a key is looked up at each
// request, so that a revoked or expired key is refused from the next one on; comparing secrets takes a time
// that does not depend on them.

const howTo = 'as x-api-key, as a bearer token, or as the password of any user';
const openReader: Reader = { name: 'open', accounts: null };
const tokenReader: Reader = { name: 'token', accounts: null };

/** How long a wrong key or token waits for its refusal, which closes the connection: one guess each. */
const wrongMs = 250;
/** Keys are removed by hand only, so it may take a moment to notice. */
const anyKeysMaxAgeMs = 5_000;

/** @param onUse called with the prefix of each key that was accepted */
function createIdentifier(
  {
    isLocal,
    token,
    keys,
    monotonicMs,
  }: Required<Omit<FullGateOptions, 'rateLimit' | 'mostAtOnce' | 'logger'>>,
  onUse: (prefix: string) => void,
) {
  const finder = keys === null ? null : createKeyFinder(keys);
  const openness = createOpenness(finder, isLocal && token === null, monotonicMs);

  const asKey = async (key: string, asking: KeyRequest): Promise<Reader> => {
    const digest = digestOfKey(key);
    const found = finder === null ? null : await finder.find(digest);
    if (found !== null) openness.learn(found);
    const known = found?.keys.get(digest);
    if (known === undefined) return await refuseWrong(`unknown key: send a key ${howTo}`);
    // This key was valid once, so the request is not a guess.
    if (known.state !== 'active') throw new Refused(unauthorized(endedKey[known.state], true));
    const reader = { name: known.prefix, keyName: known.name, accounts: known.accounts };
    asking.onKnown(reader);
    refuseBeyondKey(known, asking);
    onUse(known.prefix);
    return reader;
  };

  return {
    /** @throws Refused; what the database throws when it has to be asked and does not answer */
    async identify(credential: Credential, asking: KeyRequest): Promise<Reader> {
      const secret = credential.kind === 'secret' ? credential.secret.reveal() : null;
      if (secret === null || !isApiKey(secret)) {
        if (await openness.isOpen()) return openReader;
        if (credential.kind === 'none')
          throw new Refused(unauthorized(keys === null ? closedWithoutKeys : closed, false));
      }
      // HTTP_TOKEN may be a text that has the form of a key.
      const isToken = secret !== null && token !== null && isSame(secret, token);
      if (secret !== null && isApiKey(secret) && !isToken) return await asKey(secret, asking);
      if (!isToken) return await refuseWrong(`this is neither a key nor the token: send one ${howTo}`);
      return tokenReader;
    },
    /** Asks whether there are keys, so that this is known if the database goes offline later. */
    prime: async () => void (await openness.isOpen().catch(() => undefined)),
  };
}

async function refuseWrong(detail: string): Promise<never> {
  await sleep(wrongMs, new AbortController().signal);
  const { headers, ...refusal } = unauthorized(detail, true);
  throw new Refused({ ...refusal, headers: { ...headers, connection: 'close' } });
}

const endedKey = {
  revoked: 'this key was revoked: custody-mirror key create makes a new one',
  expired: 'this key has expired: custody-mirror key create makes a new one',
} as const;

const closed = `the pages and the API require a key: create one with custody-mirror key create <name>, and send it ${howTo}; if HTTP_TOKEN is set, send that in the same way`;
const closedWithoutKeys = `this process takes HTTP_TOKEN and no keys: set it, and send it ${howTo}`;

function unauthorized(detail: string, isInvalid: boolean) {
  const bearer = `Bearer realm="custody-mirror"${isInvalid ? ', error="invalid_token"' : ''}`;
  const challenge = `Basic realm="custody-mirror", charset="UTF-8", ${bearer}`;
  return { kind: 'unauthorized', detail, headers: { 'www-authenticate': challenge } } as const;
}

/**
 * Whether anybody may read: on an address of this machine, as long as no key was ever made and there is no
 * token.
 */
function createOpenness(finder: KeyFinder | null, mayBeOpen: boolean, monotonicMs: () => number) {
  let anyKeys: boolean | null = null;
  let learnedAt = 0;
  const learn = (found: KeysFound) => {
    anyKeys = found.anyKeys;
    learnedAt = monotonicMs();
  };
  return {
    learn,
    async isOpen(): Promise<boolean> {
      if (!mayBeOpen || finder === null) return mayBeOpen;
      if (anyKeys === true && monotonicMs() - learnedAt < anyKeysMaxAgeMs) return false;
      try {
        learn(await finder.find(null));
      } catch (error) {
        // The page /sync says more than a refusal could while the database is offline.
        if (anyKeys === null) throw error;
      }
      return anyKeys === false;
    },
  };
}

/** Compares in constant time. */
function isSame(text: string, token: Secret): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(text), digest(token.reveal()));
}

// Looks up keys in the database for the gate, and notes their use there. Lookups take one statement at a time
// for all requests. A request is answered by a statement that began after it came: so a key that was revoked
// before is refused, and any number of requests keeps one connection busy at most. The last use of a key is
// noted at most once a minute, off the path of the request.

interface KeyFinder {
  /**
   * @param digest in hexadecimal; null to ask only whether there are keys
   * @throws what the database throws; Late when it does not answer in time
   */
  find(digest: string | null): Promise<KeysFound>;
}

const waitMs = 3_000;

function createKeyFinder(keys: KeyStore): KeyFinder {
  /** The lookup that has not begun, so that requests can still join it. */
  let next: { readonly digests: Set<string>; readonly found: Promise<KeysFound> } | null = null;
  let running: Promise<unknown> = Promise.resolve();
  const queue = () => {
    const digests = new Set<string>();
    const found = running.then(() => {
      next = null;
      return keys.find([...digests]);
    });
    // A silent connection must not hold up later requests.
    running = running.then(() => within(waitMs, found)).catch(() => undefined);
    return { digests, found };
  };
  return {
    find(digest) {
      next ??= queue();
      if (digest !== null) next.digests.add(digest);
      return within(waitMs, next.found);
    },
  };
}

const everyMs = 60_000;
/** A stop does not wait longer for a note. */
const closeMs = 500;

function createUseNotes(keys: KeyStore, logger: Logger, monotonicMs: () => number) {
  const notedAt = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();
  return {
    note(prefix: string) {
      const now = monotonicMs();
      if (now - (notedAt.get(prefix) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
      notedAt.set(prefix, now);
      // The next use after a minute is noted again. Requests that need the database report its failure.
      writing = writing
        .then(() => keys.noteUse(prefix))
        .catch((error: unknown) => logger.debug({ err: error }, 'noting the use of a key failed'));
    },
    /** Waits for the notes, if the database takes them soon. */
    close: () => within(closeMs, writing).catch(() => undefined),
  };
}

// What a key may ask for, and from where. A path is compared as the router sees it, and what is not named is
// refused, so that a new route is closed to the lesser scopes.

/** Who asks for what. */
interface KeyRequest {
  /** The client's address. */
  readonly address: string;
  readonly path: string;
  /** Called with the owner of a key before its limits are checked, for the trail of refusals. */
  readonly onKnown: (reader: Reader) => void;
}

/** The paths of each scope, with all below them; null for all. */
const pathsOf: Readonly<Record<KeyScope, RegExp | null>> = {
  metrics: /^\/metrics$/,
  balances:
    /^(\/api|\/api\/openapi\.json|(\/api\/v1\/(accounts|balances|freshness|prices|snapshots)|\/custody\/balances)([./].*)?)$/,
  custody: /^\/custody(\/.*)?$/,
  read: null,
};

/** @throws Refused `forbidden`, with what to do */
function refuseBeyondKey(key: Pick<KeyListing, 'scope' | 'networks'>, { address, path }: KeyRequest): void {
  const { scope, networks } = key;
  if (networks !== null && !isWithin(readNetworks(networks), address))
    throw forbidden(
      `is not accepted from ${address}: use it from its networks, or create one for this network (custody-mirror key create --from)`,
    );
  const paths = pathsOf[scope];
  if (paths !== null && !paths.test(path))
    throw forbidden(
      `has the scope ${scope}, which does not cover this path: create one with the scope read (custody-mirror key create --scope)`,
    );
}

function forbidden(why: string): Refused {
  return new Refused({ kind: 'forbidden', detail: `this key ${why}` });
}
