// The proxy variables, which have the names that every program uses.
import type { Variable } from './options.ts';
import * as options from './options.ts';

const proxy = {
  group: 'proxy',
  form: '`http://user:password@proxy.example:3128`',
  schema: options.proxyAddress,
  fallback: '',
  otherwise: 'directly',
} as const;

export const proxyVariables = {
  HTTPS_PROXY: {
    ...proxy,
    meaning: 'The proxy through which an `https` base address is reached ([how](connections.md#proxies)).',
    file: 'Name the file where the address holds a password.',
  },
  HTTP_PROXY: {
    ...proxy,
    meaning: 'The same for an `http` base address.',
    file: '',
  },
  NO_PROXY: {
    ...proxy,
    meaning:
      'Exceptions from the proxy: domains with all their subdomains, addresses, networks such as `10.0.0.0/8`, each with or without a port, or `*` for everything.',
    form: 'entries, separated by commas or blanks',
    schema: options.text,
    otherwise: 'nothing',
  },
} as const satisfies Readonly<Record<string, Variable>>;

/** Variables that are also read in lower case, which takes precedence. */
export const smallLetterNames: ReadonlyMap<string, string> = new Map(
  Object.keys(proxyVariables).map((name) => [name, name.toLowerCase()]),
);
