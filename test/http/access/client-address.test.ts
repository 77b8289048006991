// The address of a client behind proxies: what the trusted ones added is believed, and nothing that a client
// can write itself.
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { parseDatabaseConfig } from '../../../src/base/config/config.ts';
import { Secret } from '../../../src/base/secret.ts';
import { clientAddress } from '../../../src/http/access/client-address.ts';
import type { AccessRecord } from '../../../src/http/access/observe.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { startServer } from '../../support/running-server.ts';

const proxies = (value: string) =>
  parseDatabaseConfig({
    env: { DATABASE_URL: 'postgres://x@127.0.0.1/x', HTTP_TRUSTED_PROXIES: value },
    isTerminal: false,
  }).http.trustedProxies;

const trusted = proxies('10.0.0.0/8, 192.0.2.1, 2001:db8:1::/48');

function addressFor(peer: string, headers: IncomingMessage['headers'], list = trusted): string {
  return clientAddress({ socket: { remoteAddress: peer }, headers } as IncomingMessage, list);
}

test.each<readonly [string, string, IncomingMessage['headers'], string]>([
  ['a peer that is no proxy is itself', '203.0.113.9', { 'x-forwarded-for': '198.51.100.1' }, '203.0.113.9'],
  ['a proxy without a field is itself', '10.1.2.3', {}, '10.1.2.3'],
  ['the last address', '10.1.2.3', { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
  [
    'not what a client put in front',
    '10.1.2.3',
    { 'x-forwarded-for': '1.1.1.1, 198.51.100.1' },
    '198.51.100.1',
  ],
  [
    'behind two proxies',
    '10.1.2.3',
    { 'x-forwarded-for': '198.51.100.1, 192.0.2.1 ,10.9.9.9' },
    '198.51.100.1',
  ],
  ['trusted ones alone: the first', '10.1.2.3', { 'x-forwarded-for': '10.7.7.7,10.8.8.8' }, '10.7.7.7'],
  [
    'nothing left of what is no address',
    '10.1.2.3',
    { 'x-forwarded-for': '1.1.1.1, unknown, 10.8.8.8' },
    'unknown',
  ],
  ['with a port', '10.1.2.3', { 'x-forwarded-for': '198.51.100.1:4711' }, '198.51.100.1'],
  ['IPv6', '::ffff:10.1.2.3', { 'x-forwarded-for': '2001:db8::7' }, '2001:db8::7'],
  ['IPv6 in brackets', '2001:db8:1::5', { 'x-forwarded-for': '[2001:db8::7]:443' }, '2001:db8::7'],
  ['mapped', '10.1.2.3', { 'x-forwarded-for': '::ffff:198.51.100.1' }, '198.51.100.1'],
  ['not `Forwarded`, which a client can write', '10.1.2.3', { forwarded: 'for=1.1.1.1' }, '10.1.2.3'],
])('%s', (_, peer, headers, expected) => {
  expect(addressFor(peer, headers)).toBe(expected);
});

test('without trusted proxies nothing is believed, and what is no network is refused', () => {
  expect(proxies('')).toBe(null);
  expect(addressFor('10.1.2.3', { 'x-forwarded-for': '198.51.100.1' }, null)).toBe('10.1.2.3');
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.0/8/8', '10.0.0.0/x'])
    expect(() => proxies(wrong), wrong).toThrow('HTTP_TRUSTED_PROXIES: must be addresses or networks');
});

test('behind a trusted proxy log and trail are about the client', async () => {
  const { logger, entries } = capturingLogger();
  const records: AccessRecord[] = [];
  const { get } = await startServer({
    token: new Secret('a-token-of-some-length'),
    trustedProxies: proxies('127.0.0.0/8'),
    logger,
    trail: (record) => records.push(record),
  });
  const statusFor = async (client: string) =>
    (await get('/', { headers: { 'x-forwarded-for': client, 'x-api-key': 'a-guess' } })).status;
  expect(await statusFor('198.51.100.1')).toBe(401);
  expect(await statusFor('198.51.100.2')).toBe(401);
  await expect.poll(() => records.length).toBe(2);
  expect(new Set(records.map(({ address }) => address))).toEqual(new Set(['198.51.100.1', '198.51.100.2']));
  expect(entries().find(({ msg }) => msg === 'request refused')).toMatchObject({ remote: '198.51.100.1' });
});
