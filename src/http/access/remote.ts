// The client's address, by which attempts without a valid key are limited.
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';

/** The address as it is limited: of IPv6 the first 64 bits, because a client has all the others. */
export function remoteOf(c: Context): string {
  const { incoming } = c.env as { readonly incoming?: Pick<IncomingMessage, 'socket'> };
  return limitedAddress(incoming?.socket.remoteAddress ?? 'unknown');
}

export function limitedAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.split('%')[0] ?? address;
  if (!plain.includes(':')) return plain;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros =
    after === undefined ? [] : Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}
