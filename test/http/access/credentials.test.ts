// Which secret a request presents, however it is written.
import { expect, test } from 'vitest';
import { makeApiKey } from '../../../src/base/api-key.ts';
import { presentedCredential } from '../../../src/http/access/credentials.ts';

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

function presented(headers: Readonly<Record<string, string>>, url = 'http://mirror/api/v1/accounts?limit=5') {
  const credential = presentedCredential((name) => headers[name], url);
  return credential.kind === 'secret' ? credential.secret.reveal() : credential.kind;
}

test('a secret is taken from x-api-key, from a bearer token and from the password of any user', () => {
  expect(presented({ 'x-api-key': 'abc' })).toBe('abc');
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  '])
    expect(presented({ authorization: `${scheme} abc` }), scheme).toBe('abc');
  expect(presented({ authorization: basic('anybody:abc') })).toBe('abc');
  expect(presented({ authorization: basic(':abc') })).toBe('abc');
  expect(presented({ authorization: basic('anybody:a:b') })).toBe('a:b');
  expect(presented({})).toBe('none');
  expect(presented({ 'x-api-key': '' })).toBe('none');
});

test('the same secret may be sent in both ways, two secrets not', () => {
  expect(presented({ 'x-api-key': 'abc', authorization: 'Bearer abc' })).toBe('abc');
  expect(presented({ 'x-api-key': 'abc', authorization: 'Bearer ABC' })).toBe('refused');
  expect(presented({ 'x-api-key': 'abc', authorization: basic('u:other') })).toBe('refused');
  expect(presented({ 'x-api-key': 'abc', authorization: 'Bearer' })).toBe('refused');
  expect(presented({ 'x-api-key': 'abc, abc' })).toBe('refused');
});

test('what another scheme carries is for somebody else on the way', () => {
  expect(presented({ authorization: 'Digest username="x"' })).toBe('none');
  expect(presented({ 'x-api-key': 'abc', authorization: 'Negotiate YII' })).toBe('abc');
});

test.each([
  ['a bearer token without a token', { authorization: 'Bearer' }],
  ['blanks within', { 'x-api-key': 'a b' }],
  ['two bearer tokens', { authorization: 'Bearer a, Bearer b' }],
  ['a tab', { authorization: 'Bearer a\tb' }],
  ['unicode', { 'x-api-key': 'schlüssel' }],
  ['a control character', { 'x-api-key': 'a\u0000b' }],
  ['a very long one', { 'x-api-key': 'k'.repeat(513) }],
  ['a very long pair', { authorization: basic(`u:${'k'.repeat(3000)}`) }],
  ['basic without a colon', { authorization: basic('abc') }],
  ['basic with an empty password', { authorization: basic('abc:') }],
  ['basic that is no base64', { authorization: 'Basic a:b' }],
  ['basic with nothing', { authorization: 'Basic' }],
])('%s is unusable', (_what, headers) => {
  expect(presented(headers)).toBe('unusable');
});

test('a key in the address is refused, under any name, in any spelling, and never repeated', () => {
  const key = makeApiKey().key.reveal();
  const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  for (const url of [
    `http://mirror/api/v1/accounts?whatever=${key}`,
    `http://mirror/api/v1/${key}`,
    `http://mirror/api/v1/accounts?x=${encoded}`,
    'http://mirror/custody/balances?api_key=abc',
    'http://mirror/custody/balances?limit=1&API-KEY=abc',
    'http://mirror/?x-api-key=abc',
    'http://mirror/?access_token=abc',
    'http://mirror/?%74oken=abc',
  ]) {
    const credential = presentedCredential((name) => (name === 'x-api-key' ? key : undefined), url);
    expect(credential.kind, url).toBe('refused');
    expect(JSON.stringify(credential)).not.toContain(key.slice(3, 30));
  }
  for (const url of ['http://mirror/custody/transactions?limit=5&asset_id=KEY', 'http://mirror/%zz?%'])
    expect(presented({ 'x-api-key': 'abc' }, url), url).toBe('abc');
});
