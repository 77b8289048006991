// Every way in which a request can be refused or fail: its HTTP status, what RFC 9457 wants a person to read,
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
    title: 'The request cannot be read',
    meaning: 'The request has a body, a key in its address, or two keys that differ.',
    custody: 'ERR-00',
  },
  'bad-parameter': {
    status: 400,
    title: 'A parameter is wrong',
    meaning:
      '`errors` names each parameter that is unknown, given twice or outside of what is allowed, and says what is allowed.',
    custody: 'ERR-00',
  },
  'too-many-matches': {
    status: 400,
    title: 'The search finds too much',
    meaning: '`search` finds more than 1,000 transactions. Search for more of it, or filter instead.',
    custody: 'ERR-00',
  },
  'too-many-rows': {
    status: 400,
    title: 'The list is too long for a spreadsheet file',
    meaning: 'An .xlsx holds 250,000 cells at most. Filter the list, or take its CSV, which has no cap.',
    custody: 'ERR-00',
  },
  unauthorized: {
    status: 401,
    title: 'A key is needed',
    meaning: 'There is no key, or one that does not hold: unknown, expired or revoked.',
    custody: 'ERR-02',
  },
  forbidden: {
    status: 403,
    title: 'This key does not open that',
    meaning: 'The key is good, and what it asks for is of another account.',
    custody: 'ERR-02',
  },
  'account-not-found': {
    status: 404,
    title: 'There is no such account for you',
    meaning: 'The account is not mirrored here, or your key does not see it: both answers are the same.',
    custody: 'ERR-02',
  },
  'not-found': {
    status: 404,
    title: 'There is no such thing',
    meaning: 'No route of the API has this path, or the account has nothing with this identifier.',
    custody: 'ERR-00',
  },
  'moment-unknown': {
    status: 404,
    title: 'Nothing is known of that moment',
    meaning: '`at` is before the first observation: what was then is unknown, not empty.',
    custody: 'ERR-00',
  },
  'not-read-yet': {
    status: 404,
    title: 'This was never read',
    meaning:
      'The mirror has not read these records of the account, or leaves them out (CUSTODY_RESOURCES): what there is is unknown, not empty.',
    custody: 'ERR-01',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Only GET and HEAD are answered',
    meaning: 'The API only reads.',
    custody: 'ERR-00',
  },
  'not-acceptable': {
    status: 406,
    title: 'No such form',
    meaning: '`Accept` allows neither application/json nor, for a list, text/csv or a spreadsheet file.',
    custody: 'ERR-00',
  },
  'changes-ahead': {
    status: 409,
    title: 'The feed has not come that far',
    meaning:
      '`after` is beyond the last change: the mirror was restored to an older state, or a replica lags behind. Set the place back.',
    custody: 'ERR-00',
  },
  'address-too-long': {
    status: 414,
    title: 'The address is too long',
    meaning: 'It may have 8,000 characters.',
    custody: 'ERR-00',
  },
  misdirected: {
    status: 421,
    title: 'This server has another name',
    meaning: 'The host name of the request is not one of HTTP_ALLOWED_HOSTS.',
    custody: 'ERR-00',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    meaning: 'The headers RateLimit and Retry-After say when to go on.',
    custody: 'ERR-03',
  },
  failed: {
    status: 500,
    title: 'The request failed',
    meaning: 'The log of the mirror says why.',
    custody: 'ERR-01',
  },
  unavailable: {
    status: 503,
    title: 'The database does not answer',
    meaning: 'It cannot be reached. Try again after `Retry-After` seconds.',
    custody: 'ERR-01',
  },
  timeout: {
    status: 503,
    title: 'The answer took too long',
    meaning: 'Ask for less, or try again after `Retry-After` seconds.',
    custody: 'ERR-01',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type ProblemKind = keyof typeof problemKinds;
