// Parses the servers of DATABASE_URL: one address per host, in the order in which they are tried, and whether
// a server must accept writes (`target_session_attrs`, as libpq reads it).

/** The part before the hosts, the hosts, and the part after them. The password may hold an unencoded `@`. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/** @returns nothing unless the text is a PostgreSQL address */
export function addressesOf(url: string): readonly string[] {
  const [, before, hosts = '', after] = parts.exec(url) ?? [];
  return before === undefined ? [] : hosts.split(',').map((host) => `${before}${host}${after}`);
}

/** Parses an address, even without a host: a socket's address has it in the parameters. */
export function parseAddress(address: string): URL | null {
  const readable = address.replace(/@(?=[/?]|$)/, '@localhost');
  return URL.canParse(readable) ? new URL(readable) : null;
}

/** Host names and addresses; a socket has none. */
export function hostsOf(url: string): readonly string[] {
  return addressesOf(url).flatMap((address) => {
    const parsed = parseAddress(address);
    return parsed === null || parsed.searchParams.has('host') || /^(%2f.*)?$/i.test(parsed.hostname)
      ? []
      : [parsed.hostname];
  });
}

export function asksForWrites(url: string): boolean {
  return /[?&]target_session_attrs=read-write(&|$)/.test(url);
}

/**
 * Why the TLS mode is too weak, as for psql: anybody can get a certificate from a public authority.
 *
 * @returns null if there is no fault
 */
export function weakModeFault({ searchParams }: URL): string | null {
  if (!searchParams.getAll('sslrootcert').includes('system')) return null;
  const weak = searchParams.getAll('sslmode').find((mode) => mode !== 'verify-full');
  return weak === undefined
    ? null
    : `sslmode=${weak} with sslrootcert=system would let other servers answer: write sslmode=verify-full, or name your authority's file with sslrootcert`;
}
