// The variables of the HTTP server, and of the database as its readers use it.
import type { Variable } from './options.ts';
import * as options from './options.ts';

export const httpVariables = {
  HTTP_HOST: {
    group: 'http',
    meaning: 'Where health, metrics and pages listen. In the container the default is `0.0.0.0`.',
    form: 'address or host name',
    schema: options.text,
    fallback: '127.0.0.1',
  },
  HTTP_PORT: {
    group: 'http',
    meaning: 'Their port; 0 takes a free one.',
    form: 'port',
    schema: options.integer(0, 65_535),
    fallback: '8787',
  },
  HTTP_SERVE: {
    group: 'http',
    meaning:
      'What a process of `run` serves: `all`, or `probes`, which is health and metrics alone: no pages, no read API, and no connections for their readers.',
    form: '`all` or `probes`',
    schema: options.oneOf(['all', 'probes']),
    fallback: 'all',
  },
  HTTP_ALLOWED_HOSTS: {
    group: 'http',
    meaning:
      'Host names that requests may use, besides the names of this machine and plain addresses. Any other name gets 421 ([why](http.md)). In Compose the default is `mirror`.',
    form: 'host names, separated by commas',
    schema: options.hostNames,
    fallback: '',
  },
  HTTP_TOKEN: {
    group: 'http',
    meaning:
      'The token of the operator, which opens everything. Metrics then ask for it too. Keys are made by [`key create`](access.md#keys-of-the-read-api).',
    form: '16 to 512 printable ASCII characters, no blanks',
    schema: options.token,
    fallback: '',
    otherwise: 'no token',
    file: '',
  },
  HTTP_RATE_LIMIT: {
    group: 'http',
    meaning:
      'How many requests one key, the token, or one address where reading is open, may send to one process. Twice as many may come at once.',
    form: 'requests per second, or `off`',
    schema: options.integerOrOff(1, 100_000),
    fallback: '50',
  },
  HTTP_DATABASE_URL: {
    group: 'http',
    meaning:
      'The database as readers of `/custody` and `/api` use it: the same one with a role that only reads ([`grant`](access.md) makes one), or a streaming replica of it.',
    form: '`postgres://user:password@host:5432/database`',
    schema: options.databaseUrl,
    fallback: '',
    otherwise: 'DATABASE_URL',
    file: '',
  },
  HTTP_DATABASE_CONNECTIONS: {
    group: 'http',
    meaning:
      'The most connections that readers use, one reader half of them at most. The mirror has its own, so that a reader never takes one of them.',
    form: 'connections',
    schema: options.integer(1, 100),
    fallback: '4',
  },
  HTTP_STATEMENT_TIMEOUT_MS: {
    group: 'http',
    meaning: 'The longest that a statement of a reader may take.',
    form: 'milliseconds',
    schema: options.integer(100, 600_000),
    fallback: '10000',
  },
} as const satisfies Readonly<Record<string, Variable>>;
