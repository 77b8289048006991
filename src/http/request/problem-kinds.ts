// Every way in which a request can be refused or fail: its HTTP status, the sentence for people (RFC 9457),
// and the code of docs/custody-service.md 7 that stands for it below /custody. The name of a kind is the
// `code` of a problem.

interface Kind {
  readonly status: 400 | 401 | 403 | 404 | 405 | 406 | 409 | 414 | 421 | 429 | 500 | 503;
  readonly title: string;
  /** For the reference page of the API. */
  readonly meaning: string;
  readonly custody: 'ERR-00' | 'ERR-01' | 'ERR-02' | 'ERR-03';
}

export const problemKinds = {
  'bad-request': {
    status: 400,
    title: 'Bad request',
    meaning: 'The request has a body, a key in its address, or two keys that differ.',
    custody: 'ERR-00',
  },
  'bad-parameter': {
    status: 400,
    title: 'Invalid parameter',
    meaning:
      '`errors` lists each parameter that is unknown, repeated or has an invalid value, with what is allowed.',
    custody: 'ERR-00',
  },
  'too-many-matches': {
    status: 400,
    title: 'Too many matches',
    meaning: '`search` matches more than 1,000 transactions. Make it longer, or use filters instead.',
    custody: 'ERR-00',
  },
  'too-many-rows': {
    status: 400,
    title: 'The list is too long for a spreadsheet file',
    meaning: 'An .xlsx is limited to 250,000 cells. Filter the list, or use CSV, which has no limit.',
    custody: 'ERR-00',
  },
  unauthorized: {
    status: 401,
    title: 'A key is required',
    meaning: 'The key is missing, unknown, expired or revoked.',
    custody: 'ERR-02',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed for this key',
    meaning:
      'The key is valid, but its accounts, its scope or its networks do not allow this request. `detail` says which, and what to do.',
    custody: 'ERR-02',
  },
  'account-not-found': {
    status: 404,
    title: 'Account not found',
    meaning:
      'The account is not mirrored here, or your key has no access to it; the two are not distinguished.',
    custody: 'ERR-02',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    meaning: 'The API has no such path, or the account has nothing with this identifier.',
    custody: 'ERR-00',
  },
  'moment-unknown': {
    status: 404,
    title: 'No data for that moment',
    meaning: '`at` is before the first observation: the data is unknown, not empty.',
    custody: 'ERR-00',
  },
  'not-read-yet': {
    status: 404,
    title: 'Not read yet',
    meaning:
      'These records have not been read yet, or are not mirrored (CUSTODY_RESOURCES): they are unknown, not empty.',
    custody: 'ERR-01',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Only GET and HEAD are allowed',
    meaning: 'The API is read-only.',
    custody: 'ERR-00',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    meaning: '`Accept` allows neither application/json nor, for a list, text/csv or a spreadsheet file.',
    custody: 'ERR-00',
  },
  'changes-ahead': {
    status: 409,
    title: 'Ahead of the feed',
    meaning:
      '`after` is beyond the last change that this server knows: a replica lags behind. Ask again later, or ask the primary.',
    custody: 'ERR-00',
  },
  'history-changed': {
    status: 409,
    title: 'The history is another one',
    meaning:
      'The position or cursor belongs to a history that this database does not continue: it was restored, or lost its last changes in a failover. Of a feed, drop the changes after `resume.after` and go on with `after` and `history` of `resume`; of a list, start again without `cursor`.',
    custody: 'ERR-00',
  },
  'address-too-long': {
    status: 414,
    title: 'The address is too long',
    meaning: 'The limit is 8,000 characters.',
    custody: 'ERR-00',
  },
  misdirected: {
    status: 421,
    title: 'Unknown host name',
    meaning: 'The host name of the request is not one of HTTP_ALLOWED_HOSTS.',
    custody: 'ERR-00',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    meaning: 'The RateLimit and Retry-After headers say when to retry.',
    custody: 'ERR-03',
  },
  failed: {
    status: 500,
    title: 'The request failed',
    meaning: 'The cause is in the log.',
    custody: 'ERR-01',
  },
  unavailable: {
    status: 503,
    title: 'The database does not answer',
    meaning: 'It cannot be reached. Retry after `Retry-After` seconds.',
    custody: 'ERR-01',
  },
  timeout: {
    status: 503,
    title: 'The response took too long',
    meaning: 'Request less, or retry after `Retry-After` seconds.',
    custody: 'ERR-01',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type ProblemKind = keyof typeof problemKinds;
