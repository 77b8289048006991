// The address of a client, by which attempts without a valid key are limited and which the access trail
// names. Behind a proxy it stands in a header field that anybody can send. Invariant: only what a trusted
// proxy added counts, which is the end of the field.
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { isWithin } from '../../base/config/networks.ts';

/** The address of a client whose proxy hides it: it is in no network. */
const unknown = 'unknown';

/** @param trusted HTTP_TRUSTED_PROXIES; null for none */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: BlockList | null,
): string {
  const peer = plainAddress(socket.remoteAddress ?? unknown);
  if (!isTrusted(peer, trusted)) return peer;
  const nodes = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .filter((node) => node !== '');
  let last = peer;
  for (const node of nodes.toReversed()) {
    const address = addressOf(node.trim());
    // A node that is not an address, such as `unknown`, is a client that its proxy hides.
    if (address === null) return unknown;
    last = address;
    if (!isTrusted(address, trusted)) return last;
  }
  return last;
}

function isTrusted(address: string, trusted: BlockList | null): boolean {
  return trusted !== null && isWithin(trusted, address);
}

/** Without brackets and port. */
function addressOf(node: string): string | null {
  const host = node.startsWith('[') ? node.slice(1).split(']')[0] : isIP(node) ? node : node.split(':')[0];
  return isIP(host ?? '') === 0 ? null : plainAddress(host ?? '');
}

/** An IPv4 address that came over IPv6 as one of IPv4, and none with a zone. */
function plainAddress(address: string): string {
  const plain = address.split('%')[0] ?? address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain;
}

/** What a limit counts: for IPv6 the first 64 bits, because one client has all the others. */
export function limitedAddress(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros =
    after === undefined ? [] : Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}
