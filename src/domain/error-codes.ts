// Every error code that is shown, logged and stored with a run, and what to do about those of the service
// and of the way to it. docs/errors.md has the meaning of each (test/system/docs/error-texts.ts).

/** The mirror's own failures: their messages name the cause and the fix. */
export type MirrorErrorCode =
  | 'CONFIGURATION'
  | 'DATABASE-UNREACHABLE'
  | 'DATABASE-REFUSED'
  | 'SCHEMA-MISSING'
  | 'SCHEMA-NEWER'
  | 'ROLE-UNUSABLE'
  | 'KEY-UNUSABLE'
  | 'ACCOUNT-BOUND-ELSEWHERE'
  | 'ACCOUNT-RETIRED'
  | 'ACCOUNT-MISSING'
  | 'LEASE-HELD'
  | 'LEASE-LOST'
  | 'JOB-STALLED'
  | 'LIST-UNSTEADY'
  | 'SEAL-FORK'
  | 'SEAL-REFUSED'
  | 'HISTORY-ALTERED'
  | 'DEVELOPMENT-ONLY';

/** Fixes that add nothing to the message, so they are not shown. */
const ask = "ask the service's operator and include the message, which quotes the service";
const empty = 'nothing: it counts as an empty list';
const keyRejected =
  'check CUSTODY_API_KEY, CUSTODY_API_KEY_HEADER, CUSTODY_API_KEY_PREFIX and that the key has the viewer role; leave resources that this role cannot reach out of CUSTODY_RESOURCES';
const address = 'check CUSTODY_BASE_URL, including its path prefix';

/** Every error_code in docs/custody-service.md 7, general and by endpoint. */
export const serviceFixes = {
  'ERR-00': ask,
  'ERR-01': 'the service is at fault: try again later',
  'ERR-02': keyRejected,
  'ERR-03': 'if it persists, set CUSTODY_RATE_LIMIT to what the service allows',
  'VAL-00': ask,
  'VAL-01': empty,
  'VAL-02': empty,
  'BAL-00': empty,
  'BAL-01': empty,
  'BAL-02': ask,
  'TXN-00': ask,
  'TXN-01': ask,
  'TXN-02': empty,
  'TXN-03': ask,
  'TXN-04': empty,
  'WHT-00': empty,
  'WHT-01': ask,
} as const;

/** Faults of an answer or of the connection, as the client names them. */
export const clientFixes = {
  TIMEOUT: 'check that this machine reaches CUSTODY_BASE_URL, or raise CUSTODY_TIMEOUT_MS',
  NETWORK: 'check that this machine reaches CUSTODY_BASE_URL (custody-mirror doctor shows how far it gets)',
  PROXY:
    'check HTTPS_PROXY (HTTP_PROXY for an http address), its user and password, and that the proxy lets this machine reach the service; NO_PROXY names what is reached directly',
  CERTIFICATE:
    'check CUSTODY_BASE_URL; for your own certificate authority, name its file in NODE_EXTRA_CA_CERTS',
  'BAD-BODY': 'check that CUSTODY_BASE_URL is the address of the service itself',
  'BODY-TOO-LARGE': 'for a page of transactions, lower CUSTODY_PAGE_SIZE',
  'HTTP-401': keyRejected,
  'HTTP-404': address,
  REDIRECT: address,
  'BAD-ID': ask,
} as const;

/** A map: a code is the service's text and may be `__proto__`. */
const fixes = new Map<string, string>(Object.entries({ ...serviceFixes, ...clientFixes }));

/** What a person can try when the service fails with a code; null where the message has to say it. */
export function fixForCode(code: string): string | null {
  const fix = fixes.get(code);
  return fix === undefined || fix === ask || fix === empty ? null : fix;
}
