// Networks as people write them, such as `10.0.0.0/8, 2001:db8::1`, and whether an address is in one.
import { BlockList, isIP } from 'node:net';

/** @throws Error naming the entry that is not an address or network */
export function readNetworks(entries: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const entry of entries) {
    const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    if (family === 0 || Number(bits ?? 0) > longest)
      throw new Error(`${JSON.stringify(entry)} is neither an address nor a network such as 10.0.0.0/8`);
    networks.addSubnet(address, Number(bits ?? longest), family === 4 ? 'ipv4' : 'ipv6');
  }
  return networks;
}

/** False for text that is not an address. IPv4 in IPv6 counts as IPv4. */
export function isWithin(networks: BlockList, address: string): boolean {
  // The zone of a link-local address says which interface of this machine, not which network.
  const plain = address.split('%')[0] ?? address;
  const family = isIP(plain);
  return family !== 0 && networks.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** The addresses by which a machine reaches itself. */
export const thisMachine = readNetworks(['127.0.0.0/8', '::1']);
