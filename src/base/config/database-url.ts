// What DATABASE_URL says of servers: one address for each host, in the order in which they are tried, and
// whether a server has to take writes, as libpq reads `target_session_attrs`.

/** Up to the hosts, the hosts, and what follows them. An `@` of the password may stand unencoded. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/** @returns nothing for what is not an address of PostgreSQL */
export function addressesOf(url: string): readonly string[] {
  const [, before, hosts = '', after] = parts.exec(url) ?? [];
  return before === undefined ? [] : hosts.split(',').map((host) => `${before}${host}${after}`);
}

/** An address as it can be read, also without a host: that of a socket has it among the parameters. */
export function parseAddress(address: string): URL | null {
  const readable = address.replace(/@(?=[/?]|$)/, '@localhost');
  return URL.canParse(readable) ? new URL(readable) : null;
}

/** Host names and addresses; a socket has none. */
export function hostsOf(url: string): readonly string[] {
  return addressesOf(url).flatMap((address) => {
    const parsed = parseAddress(address);
    return parsed === null || parsed.searchParams.has('host') ? [] : [parsed.hostname];
  });
}

export function asksForWrites(url: string): boolean {
  return /[?&]target_session_attrs=read-write(&|$)/.test(url);
}
