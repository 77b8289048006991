// How the arguments of `key` are read.
import { expect, test } from 'vitest';
import { makeApiKey } from '../../src/base/api-key.ts';
import { keyProgram, readExpiry } from '../../src/cli/key-program.ts';

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
  expect(readExpiry(text)).toEqual(expiry);
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
  expect(() => readExpiry(text)).toThrow(/--expires: must be a date such as .*90d/);
});

/** What a command was called with; the fault otherwise. */
function called(...args: readonly string[]): unknown {
  let found: unknown = null;
  const note = (...values: unknown[]) => {
    found = values;
    return Promise.resolve();
  };
  try {
    keyProgram({ create: note, list: note, revoke: note }).exitOverride().parse(args, { from: 'user' });
  } catch (error) {
    return error;
  }
  return found;
}

const unlimited = { accounts: null, expires: { afterHours: 8760 }, scope: 'read', networks: null };

test('a key expires in a year unless the command says otherwise, and may ask less from fewer places', () => {
  expect(called('create', 'n', '--no-expiry')).toEqual(['n', { ...unlimited, expires: null }]);
  expect(called('create', 'n', '--expires', '90d')).toMatchObject(['n', { expires: { afterHours: 2160 } }]);
  expect(called('create', 'n', '--scope', 'balances', '--from', '10.0.0.0/8, ::1')).toEqual([
    'n',
    { ...unlimited, scope: 'balances', networks: ['10.0.0.0/8', '::1'] },
  ]);
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
])('--from %j is refused with what is allowed', (text) => {
  expect(called('create', 'n', '--from', text)).toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringMatching(/^--from: must be addresses or networks such as/),
  });
});

test('a name is what can be shown, and no prefix', () => {
  expect(called('create', ' Grafana ')).toEqual(['Grafana', unlimited]);
  expect(called('create', 'e\u0301', '--account', 'a', '--account', 'b', '--account', 'a')).toEqual([
    '\u00e9',
    { ...unlimited, accounts: ['a', 'b'] },
  ]);
  expect(called('create', '<b>"x"</b>')).toMatchObject(['<b>"x"</b>', {}]);
  const key = makeApiKey().key.reveal();
  for (const name of ['', '  ', 'a\u001b[2Jb', 'a\nb', 'a\u202eb', 'a\u0085b', 'x'.repeat(65), 'cm_x', key]) {
    const error = called('create', name);
    expect(error, JSON.stringify(name)).toMatchObject({ code: 'CONFIGURATION' });
    expect(String(error)).not.toContain(key.slice(3));
  }
  expect(called('create', 'n', '--account', 'a b')).toMatchObject({
    message: expect.stringContaining('--account'),
  });
});

test('a whole key stands for its prefix', () => {
  const { key, prefix } = makeApiKey();
  expect(called('revoke', key.reveal())).toEqual([prefix]);
  expect(called('revoke', prefix)).toEqual([prefix]);
  expect(called('revoke', 'Grafana')).toEqual(['Grafana']);
});
