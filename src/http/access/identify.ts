// Who asks: by a key, by HTTP_TOKEN, or anybody where reading is open. Invariants: a key is looked up at each
// request, so that a revoked or expired key is refused from the next one on; comparing secrets takes a time
// that does not depend on them.
import { createHash, timingSafeEqual } from 'node:crypto';
import { digestOfKey, isApiKey } from '../../base/api-key.ts';
import { sleep } from '../../base/loop.ts';
import type { Secret } from '../../base/secret.ts';
import type { KeyStore, KeysFound } from '../../store/keys/api-keys.ts';
import type { Reader } from '../request/environment.ts';
import { Refused } from '../request/refusal.ts';
import type { Credential } from './credentials.ts';
import { createKeyFinder, type KeyFinder } from './key-finder.ts';
import { type KeyRequest, refuseBeyondKey } from './key-limits.ts';

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

/** How long a wrong key or token waits for its refusal, which closes the connection: one guess each. */
const wrongMs = 250;
/** Keys are removed by hand only, so it may take a moment to notice. */
const anyKeysMaxAgeMs = 5_000;

export function createIdentifier(options: IdentifyOptions) {
  const { isLocal, token, keys, onUse, monotonicMs } = options;
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
    asking.onKnown?.(reader);
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
    prime: () =>
      openness.isOpen().then(
        () => undefined,
        () => undefined,
      ),
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
