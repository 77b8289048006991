// Who asks: by a key, by HTTP_TOKEN, or anybody where reading is open. Invariants: a key is looked up at each
// request, so that a revoked or expired key is refused from the next one on; comparing secrets takes a time
// that does not depend on them.
import { createHash, timingSafeEqual } from 'node:crypto';
import { digestOfKey, isApiKey } from '../../base/api-key.ts';
import { sleep } from '../../base/loop.ts';
import type { Secret } from '../../base/secret.ts';
import { shareWork } from '../../base/waiting.ts';
import type { KeyStore, KeysFound } from '../../store/keys/key-lookup.ts';
import type { Reader } from '../request/environment.ts';
import { Refused } from '../request/refusal.ts';
import { limitedAddress } from './client-address.ts';
import type { Credential } from './credentials.ts';
import { createKeyFinder, type KeyFinder } from './key-finder.ts';
import { type Asking, refuseBeyondKey } from './key-limits.ts';

import { createTokenBuckets } from './rate-limit.ts';

export interface IdentifyOptions {
  /** The server listens for this machine alone. */
  readonly isLocal: boolean;
  /** HTTP_TOKEN. */
  readonly token: Secret | null;
  /** Null where there are no keys, as in a test of something else. */
  readonly keys: KeyStore | null;
  /** Called with the prefix of each key that was accepted. */
  readonly onUse: (prefix: string) => void;
  readonly monotonicMs: () => number;
}

const howTo = 'as x-api-key, as a bearer token, or as the password of any user';
const openReader: Reader = { name: 'open', accounts: null };
const tokenReader: Reader = { name: 'token', accounts: null };

/** Guesses from one address: a burst of so many, then one every two seconds. */
const guesses = { burst: 20, perSecond: 0.5 };
/** Of all addresses together. */
const guessesInAll = { burst: 200, perSecond: 5 };
const all = 'all';
/**
 * Others may share an address, such as a proxy's. After too many guesses from it a secret waits this long,
 * and a key is then looked up together with all that wait: guesses cost a few statements a second, a
 * connection gets four tries a second, and no valid key or token is locked out.
 */
const slowMs = 250;
/** A secret that was accepted within this time need not wait. */
const trustedMs = 300_000;
const mostTrusted = 1_000;
/** Keys are removed by hand only, so it may take a moment to notice. */
const anyKeysMaxAgeMs = 5_000;

export function createIdentifier(options: IdentifyOptions) {
  const { isLocal, token, keys, onUse, monotonicMs } = options;
  const { areTooMany, refuseGuess } = createGuessLimits(monotonicMs);
  const trusted = createTrusted(monotonicMs);
  const finder = keys === null ? null : createKeyFinder(keys);
  const openness = createOpenness(finder, isLocal && token === null, monotonicMs);

  // All that wait continue together.
  const slowLane = shareWork(() => sleep(slowMs, new AbortController().signal));
  const holdUp = async (remote: string, digest: string) => {
    if (areTooMany(remote) && !trusted.has(digest)) await slowLane();
  };
  const asKey = async (key: string, remote: string, asking: Asking): Promise<Reader> => {
    const digest = digestOfKey(key);
    await holdUp(remote, digest);
    const found = finder === null ? null : await finder.find(digest);
    if (found !== null) openness.learn(found);
    const known = found?.keys.get(digest);
    if (known === undefined) return refuseGuess(remote, `unknown key: send a key ${howTo}`);
    // Who has it did not guess.
    if (known.state !== 'active') throw new Refused(unauthorized(endedKey[known.state], true));
    trusted.add(digest);
    const reader = { name: known.prefix, keyName: known.name, accounts: known.accounts };
    asking.onKnown?.(reader);
    refuseBeyondKey(known, asking);
    onUse(known.prefix);
    return reader;
  };

  return {
    /** @throws Refused; what the database throws when it has to be asked and does not answer */
    async identify(credential: Credential, asking: Asking): Promise<Reader> {
      const remote = limitedAddress(asking.address);
      const secret = credential.kind === 'secret' ? credential.secret.reveal() : null;
      if (secret === null || !isApiKey(secret)) {
        if (await openness.isOpen()) return openReader;
        if (credential.kind === 'none')
          throw new Refused(unauthorized(keys === null ? closedWithoutKeys : closed, false));
      }
      // HTTP_TOKEN may be a text that has the form of a key.
      const isToken = secret !== null && token !== null && isSame(secret, token);
      if (secret !== null && isApiKey(secret) && !isToken) return await asKey(secret, remote, asking);
      const digest = secret === null ? null : digestOfKey(secret);
      if (digest !== null) await holdUp(remote, digest);
      if (!isToken || digest === null)
        return refuseGuess(remote, `this is neither a key nor the token: send one ${howTo}`);
      trusted.add(digest);
      return tokenReader;
    },
    /** Asks whether there are keys, so that this is known if the database goes offline later. */
    prime: () =>
      openness.isOpen().then(
        () => undefined,
        () => undefined,
      ),
  };
}

/** Counts attempts without a valid key, by address and in all. */
function createGuessLimits(monotonicMs: () => number) {
  const failures = createTokenBuckets({ ...guesses, monotonicMs });
  const failuresInAll = createTokenBuckets({ ...guessesInAll, monotonicMs });
  const states = (remote: string) => [failures.state(remote), failuresInAll.state(all)];
  return {
    areTooMany: (remote: string) => states(remote).some(({ left }) => left === 0),
    refuseGuess(remote: string, detail: string): never {
      if (failures.take(remote) !== null && failuresInAll.take(all) !== null)
        throw new Refused(unauthorized(detail, true));
      throw tooManyGuesses(Math.max(...states(remote).map(({ tokenInSeconds }) => tokenInSeconds)));
    },
  };
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

function tooManyGuesses(seconds: number): Refused {
  return new Refused({
    kind: 'rate-limited',
    detail: 'too many attempts without a valid key: try again later',
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  });
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

/** Digests of secrets that were accepted lately. */
function createTrusted(monotonicMs: () => number) {
  const acceptedAt = new Map<string, number>();
  return {
    has: (digest: string) => monotonicMs() - (acceptedAt.get(digest) ?? Number.NEGATIVE_INFINITY) < trustedMs,
    add(digest: string) {
      acceptedAt.delete(digest);
      acceptedAt.set(digest, monotonicMs());
      if (acceptedAt.size > mostTrusted) acceptedAt.delete(acceptedAt.keys().next().value ?? digest);
    },
  };
}

/** Compares in constant time. */
function isSame(text: string, token: Secret): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(text), digest(token.reveal()));
}
