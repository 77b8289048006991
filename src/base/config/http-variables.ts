// The variables of the HTTP server, and of the database as its readers use it.
import type { Variable } from './options.ts';
import * as options from './options.ts';

export const httpVariables = {
  HTTP_HOST: {
    group: 'http',
    meaning: 'The address for health, metrics and pages. In the container the default is `0.0.0.0`.',
    form: 'address or host name',
    schema: options.text,
    fallback: '127.0.0.1',
  },
  HTTP_PORT: {
    group: 'http',
    meaning: 'The port for them; 0 picks a free one.',
    form: 'port',
    schema: options.integer(0, 65_535),
    fallback: '8787',
  },
  HTTP_PROBES_PORT: {
    group: 'http',
    meaning:
      'A second port, for `/healthz` and `/readyz` alone: whatever clients do to the first, probes of this one are answered, and `/readyz` says whether the first serves. In the container the default is 8789.',
    form: 'port, or `off`',
    schema: options.integerOrOff(1, 65_535),
    fallback: 'off',
  },
  HTTP_SERVE: {
    group: 'http',
    meaning:
      'What `run` serves: `all`, or `probes`, which is health and metrics only: no pages, no read API, and no database connections for readers.',
    form: '`all` or `probes`',
    schema: options.oneOf(['all', 'probes']),
    fallback: 'all',
  },
  HTTP_DRAIN_MS: {
    group: 'http',
    meaning:
      'How long `serve` goes on answering after SIGTERM, while `/readyz` says 503 and each answer ends its connection: longer than a load balancer takes to notice. The Helm chart sets 10000.',
    form: 'milliseconds',
    schema: options.integer(0, 600_000),
    fallback: '0',
  },
  HTTP_ALLOWED_HOSTS: {
    group: 'http',
    meaning:
      'Host names that requests may use, besides the names of this machine and IP addresses. Any other name gets 421 ([why](http.md)). In Compose the default is `mirror`.',
    form: 'host names, separated by commas',
    schema: options.hostNames,
    fallback: '',
  },
  HTTP_TRUSTED_PROXIES: {
    group: 'http',
    meaning:
      'The proxies that report the address of a client in `X-Forwarded-For` ([which is believed](http.md#behind-proxies)). Limits, log and access trail then name the client.',
    form: 'addresses and networks, separated by commas',
    schema: options.networks,
    fallback: '',
    otherwise: 'none',
  },
  HTTP_TOKEN: {
    group: 'http',
    meaning:
      'The operator’s token, which grants access to everything. On an address beyond this machine metrics require it or a key. [`key create`](access.md#keys-of-the-read-api) creates keys for readers.',
    form: '16 to 512 printable ASCII characters, no blanks',
    schema: options.token,
    fallback: '',
    otherwise: 'no token',
    file: '',
  },
  HTTP_RATE_LIMIT: {
    group: 'http',
    meaning:
      'The most requests that one key, the token, or (if reading is open) one address may send to one process. Bursts may reach twice as many.',
    form: 'requests per second, or `off`',
    schema: options.integerOrOff(1, 100_000),
    fallback: '50',
  },
  HTTP_ACCESS_LOG: {
    group: 'http',
    meaning:
      'Where the [access trail](access.md#who-read-what) goes: one line of JSON for each answer that shows something of an account, and for each refusal.',
    form: '`off`, `log`, or the absolute path of a file',
    schema: options.accessLog,
    fallback: 'off',
  },
  HTTP_DATABASE_URL: {
    group: 'http',
    meaning:
      'The database for readers of `/custody` and `/api`: the same one with a read-only role ([`grant`](access.md) sets one up), or a streaming replica.',
    form: '`postgres://user:password@host:5432/database`',
    schema: options.databaseUrl,
    fallback: '',
    otherwise: 'DATABASE_URL',
    file: '',
  },
  HTTP_DATABASE_CONNECTIONS: {
    group: 'http',
    meaning:
      'The most connections for readers; a single reader uses at most half. The mirror has separate ones, which readers never take.',
    form: 'connections',
    schema: options.integer(1, 100),
    fallback: '4',
  },
  HTTP_STATEMENT_TIMEOUT_MS: {
    group: 'http',
    meaning: "The timeout of a reader's statement.",
    form: 'milliseconds',
    schema: options.integer(100, 600_000),
    fallback: '10000',
  },
} as const satisfies Readonly<Record<string, Variable>>;
