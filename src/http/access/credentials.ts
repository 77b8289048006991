// Finds the secret that a request presents: in x-api-key, as a bearer token, or as the password of HTTP
// basic. A request that presents two different ones, or one in its address, is refused, because the choice
// would be a guess.
import { keyPattern } from '../../base/api-key.ts';
import { Secret } from '../../base/secret.ts';

export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'secret'; readonly secret: Secret }
  /** A secret was sent, and no key or token can look like this one. */
  | { readonly kind: 'unusable' }
  | { readonly kind: 'refused'; readonly detail: string };

const none: Credential = { kind: 'none' };
const unusable: Credential = { kind: 'unusable' };
const usable = /^[\x21-\x7e]{1,512}$/;
const keyInText = new RegExp(keyPattern);
/** Names under which other services take a key in the address. */
const keyParameters: ReadonlySet<string> = new Set([
  'key',
  'apikey',
  'token',
  'accesstoken',
  'xapikey',
  'authorization',
  'password',
]);

/** @param url the whole address of the request, or its path with the query */
export function presentedCredential(header: (name: string) => string | undefined, url: string): Credential {
  if (isKeyInAddress(url))
    return {
      kind: 'refused',
      detail:
        'a key in the address ends up in logs and histories: revoke it, and send the new one as x-api-key, as a bearer token, or as the password of any user',
    };
  const [first, second] = [fromApiKey(header('x-api-key')), fromAuthorization(header('authorization'))];
  if (first.kind === 'none') return second;
  if (second.kind === 'none' || isSame(first, second)) return first;
  return { kind: 'refused', detail: 'x-api-key and Authorization differ: send only one of them' };
}

function isSame(a: Credential, b: Credential): boolean {
  return a.kind === 'secret' && b.kind === 'secret' && a.secret.reveal() === b.secret.reveal();
}

function isKeyInAddress(url: string): boolean {
  const at = url.indexOf('?');
  if (keyInText.test(url) || keyInText.test(decoded(url))) return true;
  if (at < 0) return false;
  return [...new URLSearchParams(url.slice(at)).keys()].some((name) =>
    keyParameters.has(name.toLowerCase().replaceAll(/[-_.]/g, '')),
  );
}

function decoded(url: string): string {
  return url.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function fromApiKey(value: string | undefined): Credential {
  if (value === undefined || value === '') return none;
  // The header occurred twice.
  if (value.includes(', '))
    return { kind: 'refused', detail: 'x-api-key was sent more than once: send it once' };
  return asSecret(value);
}

/** Other schemes are meant for an intermediary, such as a proxy. */
function fromAuthorization(value: string | undefined): Credential {
  const [, scheme = '', rest = ''] = /^(bearer|basic)(?: +(.*))?$/is.exec(value ?? '') ?? [];
  if (scheme === '') return none;
  if (scheme.toLowerCase() === 'bearer') return asSecret(rest);
  if (!/^[A-Za-z0-9+/_-]{1,2048}={0,2}$/.test(rest)) return unusable;
  const pair = Buffer.from(rest, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? unusable : asSecret(pair.slice(colon + 1));
}

function asSecret(text: string): Credential {
  return usable.test(text) ? { kind: 'secret', secret: new Secret(text) } : unusable;
}
