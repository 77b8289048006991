// What `key` prints.
import { expect, test } from 'vitest';
import { createdInWords, keysAsJson, renderKeys, revokedInWords } from '../../../src/cli/commands/key.ts';
import type { KeyListing } from '../../../src/store/keys/api-keys.ts';

const key: KeyListing = {
  name: 'Grafana',
  prefix: 'cm_k3v9x2ab',
  accounts: ['acme', 'other'],
  scope: 'balances',
  networks: ['10.0.0.0/8', '::1'],
  createdAt: '2026-11-01T10:20:30Z',
  expiresAt: '2027-01-30T00:00:00Z',
  lastUsedAt: null,
  revokedAt: null,
  state: 'active',
};
const hostile = 'a\u001b[2Jb\nc\u202ed\u009be<script>';

test('a list has a line for each key', () => {
  const revoked: KeyListing = {
    ...key,
    name: 'old',
    prefix: 'cm_00000000',
    accounts: null,
    scope: 'read',
    networks: null,
    expiresAt: null,
    lastUsedAt: '2026-11-02T00:00:00Z',
    state: 'revoked',
    revokedAt: '2026-11-03T00:00:00Z',
  };
  expect(renderKeys([key, revoked], { color: false, width: 160 })).toBe(
    `prefix       state    created           expires           last use          scope     from             accounts     name
cm_k3v9x2ab  active   2026-11-01 10:20  2027-01-30 00:00  never             balances  10.0.0.0/8, ::1  acme, other  Grafana
cm_00000000  revoked  2026-11-01 10:20  never             2026-11-02 00:00  read      anywhere         all          old
Times are UTC.
`,
  );
  expect(renderKeys([], { color: false, width: 80 })).toContain('custody-mirror key create');
});

test('a name can neither control the terminal nor forge a line, no matter who wrote it into the table', () => {
  const listing = { ...key, name: hostile, accounts: [hostile], networks: [hostile] };
  for (const text of [
    renderKeys([listing], { color: false, width: 400 }),
    keysAsJson([listing]),
    createdInWords(listing),
    revokedInWords({ key: listing, already: false }),
  ])
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(renderKeys([listing], { color: false, width: 400 }).split('\n')).toHaveLength(4);
  expect(JSON.parse(keysAsJson([listing]))).toEqual({ keys: [listing] });
});

test('words of a key that was made and of one that is revoked', () => {
  expect(createdInWords({ ...key, scope: 'read', networks: null, accounts: null, expiresAt: null })).toMatch(
    /^Created the key cm_k3v9x2ab \(Grafana\)\. It reads all accounts, including future ones, and does not expire\./,
  );
  expect(createdInWords(key)).toContain(
    'It has the scope balances, reads acme, other, is accepted from 10.0.0.0/8, ::1 only, and expires 2027-01-30 00:00 UTC',
  );
  expect(revokedInWords({ key: { ...key, revokedAt: '2026-11-03T00:00:00Z' }, already: true })).toBe(
    'The key cm_k3v9x2ab (Grafana) was already revoked, at 2026-11-03 00:00 UTC.\n',
  );
});
