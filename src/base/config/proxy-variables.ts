// The variables of the way to the custody service, whose names are those of every other program.
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
    meaning: 'The proxy through which an `https` base address is reached ([how](security.md#proxies)).',
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
      'What is reached without the proxy: domains with all names below them, addresses, networks such as `10.0.0.0/8`, each with or without a port, or `*` for everything.',
    form: 'entries, separated by commas or blanks',
    schema: options.text,
    otherwise: 'nothing',
  },
} as const satisfies Readonly<Record<string, Variable>>;

/** Variables whose name in small letters is read too, and goes before the other. */
export const smallLetterNames: ReadonlyMap<string, string> = new Map(
  Object.keys(proxyVariables).map((name) => [name, name.toLowerCase()]),
);
