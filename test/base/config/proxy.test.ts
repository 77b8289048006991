// HTTPS_PROXY, HTTP_PROXY and NO_PROXY as curl reads them, and that no fault repeats what they hold.
import { expect, test } from 'vitest';
import { isDirect, readProxy } from '../../../src/base/config/proxy.ts';
import { faultsOf, parse, required } from './config-cases.ts';

const proxyOf = (env: Readonly<Record<string, string>>) => parse({ ...required, ...env }).custody.proxy;

test.each([
  ['http://proxy.example:3128', { protocol: 'http:', host: 'proxy.example', port: 3128 }],
  ['proxy.example:3128', { protocol: 'http:', host: 'proxy.example', port: 3128 }],
  ['http://proxy.example:80/', { protocol: 'http:', host: 'proxy.example', port: 80 }],
  // The ports that curl takes where there is none.
  ['http://proxy.example', { protocol: 'http:', host: 'proxy.example', port: 1080 }],
  ['https://proxy.example', { protocol: 'https:', host: 'proxy.example', port: 443 }],
  ['http://[::1]:3128', { protocol: 'http:', host: '::1', port: 3128 }],
])('%s is a proxy', (address, expected) => {
  expect(readProxy(address)).toEqual({ ...expected, authorization: null });
});

test('user and password are a secret, percent-decoded', () => {
  const proxy = readProxy('http://us%40er:p%3Aä%2F@proxy.example:3128');
  expect(proxy?.authorization?.reveal()).toBe(`Basic ${Buffer.from('us@er:p:ä/').toString('base64')}`);
  expect(JSON.stringify(proxy)).not.toMatch(/us@er|p:ä|Basic/);
  expect(readProxy('user@proxy.example:1')?.authorization?.reveal()).toBe('Basic dXNlcjo=');
});

test.each([
  'socks5://user:hunter2@proxy.example:1080',
  'http://user:hun/ter2@proxy.example:3128',
  'http://user:hun#ter2@proxy.example:3128',
  'http://user:hunter2%@proxy.example:3128',
  'http://user:hunter2@proxy.example:99999',
  'http://user:hunter2@proxy.example/path',
  'http://',
])('%s is refused by the name of its variable, without the password', (address) => {
  const { HTTPS_PROXY: fault = '', ...others } = faultsOf(() => proxyOf({ HTTPS_PROXY: address }));
  expect(others).toEqual({});
  expect(fault).toMatch(/^must be an http:\/\/ or https:\/\/ address such as/);
  expect(fault).not.toMatch(/hun|ter2/);
});

test('each protocol has its variable; small letters go before capitals, and an empty one does not count', () => {
  const local = { CUSTODY_BASE_URL: 'http://127.0.0.1:8080' };
  expect(proxyOf({})).toBeNull();
  expect(proxyOf({ HTTP_PROXY: 'other:1' })).toBeNull();
  expect(proxyOf({ HTTPS_PROXY: 'a:1' })).toMatchObject({ host: 'a' });
  expect(proxyOf({ HTTPS_PROXY: 'a:1', https_proxy: 'b:2' })).toMatchObject({ host: 'b' });
  expect(proxyOf({ HTTPS_PROXY: 'a:1', https_proxy: '' })).toMatchObject({ host: 'a' });
  expect(proxyOf({ ...local, HTTPS_PROXY: 'a:1' })).toBeNull();
  expect(proxyOf({ ...local, HTTP_PROXY: 'a:1' })).toMatchObject({ host: 'a' });
  expect(proxyOf({ ...local, http_proxy: 'a:1', NO_PROXY: '127.0.0.0/8' })).toBeNull();
  expect(proxyOf({ HTTPS_PROXY: 'a:1', NO_PROXY: 'custody.example', no_proxy: 'b' })).not.toBeNull();
});

const host = 'https://api.custody.example/v1';
test.each([
  ['custody.example', host, true],
  ['.custody.example', host, true],
  ['*.custody.example', host, true],
  ['api.custody.example.', host, true],
  ['API.Custody.Example', host, true],
  ['tody.example', host, false],
  ['.api.custody.example', host, true],
  ['other.example custody.example', host, true],
  ['other.example, custody.example', host, true],
  ['*', host, true],
  ['', host, false],
  [' , .', host, false],
  ['custody.example:443', host, true],
  ['custody.example:8443', host, false],
  ['custody.example:8443', 'https://custody.example:8443', true],
  ['10.0.0.0/8', 'https://10.1.2.3', true],
  ['10.0.0.0/8', 'https://11.1.2.3', false],
  ['10.0.0.0/8:443', 'https://10.1.2.3', true],
  ['10.0.0.0/33', 'https://10.1.2.3', false],
  ['0.0.0.0/0', 'https://10.1.2.3', true],
  ['10.1.2.3', 'https://10.1.2.3', true],
  ['10.1.2', 'https://10.1.2.3', false],
  ['10.0.0.0/8', 'https://10.example', false],
  ['::1', 'http://[::1]:80', true],
  ['[::1]', 'http://[::1]:80', true],
  ['[::1]:81', 'http://[::1]:80', false],
  ['[::1]:80', 'http://[::1]:80', true],
  ['fd00::/8', 'https://[fd12::1]', true],
  ['fd00::/8', 'https://[fe80::1]', false],
])('NO_PROXY %j and %s: %s', (list, url, expected) => {
  expect(isDirect(list, new URL(url))).toBe(expected);
});
