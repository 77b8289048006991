// How the arguments of `key` are read.
import { expect, test } from 'vitest';
import { makeApiKey } from '../../src/base/api-key.ts';
import { type KeyCreateOptions, readKey } from '../../src/cli/commands/key.ts';

/** The key that a command asks for. */
const key = (name: string, options: Partial<KeyCreateOptions> = {}) =>
  readKey(name, { scope: 'read', expiry: true, ...options });

test.each([
  ['12h', { afterHours: 12 }],
  ['90d', { afterHours: 2160 }],
  ['8w', { afterHours: 1344 }],
  ['1y', { afterHours: 8760 }],
  ['2027-06-30', { at: '2027-06-30T00:00:00.000Z' }],
  ['2027-06-30T18:00:00+02:00', { at: '2027-06-30T16:00:00.000Z' }],
  ['2027-06-30t18:00z', { at: '2027-06-30T18:00:00.000Z' }],
  ['2028-02-29', { at: '2028-02-29T00:00:00.000Z' }],
])('--expires %s', (text, expiry) => {
  expect(key('n', { expires: text })).toMatchObject({ expires: expiry });
});

test.each([
  '',
  '0d',
  '90',
  '90 d',
  '-1d',
  '5m',
  '101y',
  '2027-02-29',
  '2027-02-30T00:00:00Z',
  '2027-13-01',
  '30.06.2027',
  '2027-06-30T18:00',
  'tomorrow',
])('--expires %j is refused with what is allowed', (text) => {
  expect(() => key('n', { expires: text })).toThrow(/--expires: must be a date such as .*90d/);
});

const unlimited = { name: 'n', accounts: null, expires: { afterHours: 8760 }, scope: 'read', networks: null };

test('a key expires in a year unless the command says otherwise, and may ask less from fewer places', () => {
  expect(key('n')).toEqual(unlimited);
  expect(key('n', { expiry: false })).toEqual({ ...unlimited, expires: null });
  expect(key('n', { scope: 'balances', from: '10.0.0.0/8, ::1' })).toEqual({
    ...unlimited,
    scope: 'balances',
    networks: ['10.0.0.0/8', '::1'],
  });
});

test.each([
  '',
  ',',
  '10.0.0.0/33',
  '10.0.0',
  'localhost',
  '10.0.0.1/',
  '::1/129',
  '1.2.3.4/8/8',
  'fe80::1%eth0',
])('--from %j is refused with what is allowed', (from) => {
  expect(() => key('n', { from })).toThrow(/^--from: must be addresses or networks such as/);
});

test('a name is what can be shown, and no prefix', () => {
  expect(key(' Grafana ').name).toBe('Grafana');
  expect(key('e\u0301', { account: ['a', 'b'] })).toMatchObject({ name: '\u00e9', accounts: ['a', 'b'] });
  expect(key('<b>"x"</b>').name).toBe('<b>"x"</b>');
  const whole = makeApiKey().key.reveal();
  for (const name of ['', '  ', 'a\u001b[2Jb', 'a\nb', 'a\u202eb', 'a\u0085b', 'x'.repeat(65), 'cm_x', whole])
    expect(() => key(name), JSON.stringify(name)).toThrow(/^name: (?!.*cm_[a-z0-9]{3})/);
  expect(() => key('n', { account: ['a b'] })).toThrow(/--account/);
});
