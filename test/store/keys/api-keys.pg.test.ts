// Keys in the database: names, accounts, expiry by its clock, revocation, and what the server asks.
import { expect, test } from 'vitest';
import { digestOfKey, makeApiKey } from '../../../src/base/api-key.ts';
import {
  createKey,
  createKeyStore,
  listKeys,
  type NewKey,
  revokeKey,
} from '../../../src/store/keys/api-keys.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { account, openStore } from '../../support/store.ts';

async function make(database: Database, changes: Partial<NewKey> = {}) {
  const { key, prefix } = makeApiKey();
  const digest = digestOfKey(key.reveal());
  const made = await createKey(database, {
    name: prefix,
    prefix,
    digest,
    accounts: null,
    expires: null,
    ...changes,
  });
  return { key: key.reveal(), digest, made };
}

test('a key is listed with what it may read, and found by its digest alone', async () => {
  const { database, query } = await openStore();
  const keys = createKeyStore(database);
  expect(await keys.find([])).toEqual({ anyKeys: false, keys: new Map() });
  const one = await make(database, { name: 'one', accounts: [account], expires: { afterHours: 48 } });
  const two = await make(database, { name: 'two' });
  expect(one.made).toMatchObject({ name: 'one', accounts: [account], state: 'active', lastUsedAt: null });
  expect(Date.parse(one.made.expiresAt ?? '') - Date.parse(one.made.createdAt)).toBe(48 * 3_600_000);
  expect((await listKeys(database)).map(({ name }) => name)).toEqual(['two', 'one']);
  const everywhere = { scope: 'read', networks: null };
  const found = await keys.find([one.digest, two.digest, digestOfKey('another')]);
  expect(found.anyKeys).toBe(true);
  expect([...found.keys]).toEqual(
    expect.arrayContaining([
      [
        one.digest,
        { prefix: one.made.prefix, name: 'one', accounts: [account], ...everywhere, state: 'active' },
      ],
      [two.digest, { prefix: two.made.prefix, name: 'two', accounts: null, ...everywhere, state: 'active' }],
    ]),
  );
  expect(found.keys.size).toBe(2);
  const rows = JSON.stringify(await query('select k::text from sync.api_keys k'));
  for (const { key } of [one, two]) expect(rows).not.toContain(key.slice(12));
});

test('a name is in use until its key is revoked, also when it has expired', async () => {
  const { database, query } = await openStore();
  const first = await make(database, { name: 'twice' });
  await expect(make(database, { name: 'twice' })).rejects.toMatchObject({
    code: 'KEY-UNUSABLE',
    message: expect.stringContaining(first.made.prefix),
  });
  await query("update sync.api_keys set expires_at = clock_timestamp() - interval '1 second'");
  await expect(make(database, { name: 'twice' })).rejects.toThrow('which has expired');
  await revokeKey(database, 'twice');
  const second = await make(database, { name: 'twice' });
  expect((await listKeys(database)).map(({ prefix, state }) => [prefix, state])).toEqual([
    [second.made.prefix, 'active'],
    [first.made.prefix, 'revoked'],
  ]);
});

test('a key is revoked once, by its name or its prefix, for good', async () => {
  const { database } = await openStore();
  const keys = createKeyStore(database);
  const { digest, made } = await make(database, { name: 'gone' });
  const other = await make(database);
  const first = await revokeKey(database, made.prefix);
  expect(first).toMatchObject({ already: false, key: { state: 'revoked' } });
  expect((await keys.find([digest])).keys.get(digest)?.state).toBe('revoked');
  expect(await revokeKey(database, 'gone')).toEqual({ already: true, key: first.key });
  expect((await keys.find([other.digest])).keys.get(other.digest)?.state).toBe('active');
  await expect(revokeKey(database, 'nobody')).rejects.toMatchObject({ code: 'KEY-UNUSABLE' });
  await expect(revokeKey(database, "' or true --")).rejects.toMatchObject({ code: 'KEY-UNUSABLE' });
});

test('the last use is written once a minute, by however many processes', async () => {
  const { database, query } = await openStore();
  const keys = createKeyStore(database);
  const { made } = await make(database);
  const unused = await make(database);
  const lastUse = () =>
    query<{ at: string }>(
      `select last_used_at::text as at from sync.api_keys where key_prefix = '${made.prefix}'`,
    );
  await keys.noteUse(made.prefix);
  const first = await lastUse();
  await keys.noteUse(made.prefix);
  expect(await lastUse()).toEqual(first);
  await query(
    `update sync.api_keys set last_used_at = last_used_at - interval '1 minute' where key_prefix = '${made.prefix}'`,
  );
  await keys.noteUse(made.prefix);
  expect(await lastUse()).not.toEqual(first);
  expect(
    (await listKeys(database)).find(({ prefix }) => prefix === unused.made.prefix)?.lastUsedAt,
  ).toBeNull();
});
