// The accounts of a database by the command line: listed, and one of them erased.
import { expect, test } from 'vitest';
import { releaseLease } from '../../../src/store/run/leases.ts';
import { runHere } from '../../support/in-process.ts';
import { account, openStore } from '../../support/store.ts';

test('an account is erased only with its name repeated and while nobody writes for it; the list shows the record', async () => {
  const store = await openStore();
  const command = (...args: string[]) => runHere(['account', ...args], { env: { DATABASE_URL: store.url } });
  expect(await command('erase', account, '--confirm', 'another')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--confirm: must repeat the name'),
  });
  expect(await command('erase', 'unknown', '--confirm', 'unknown')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('account "unknown" is not in the database'),
  });
  expect(await command('erase', account, '--confirm', account)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/test writes for account "acme".*LEASE-HELD/),
  });
  await releaseLease(store.database, store.lease);
  expect(await command('list')).toMatchObject({ code: 0, stdout: `${account}: https://custody.example\n` });
  expect(await command('erase', account, '--confirm', account)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Erased account ${account}: 4 rows.`),
  });
  expect(await command('list')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^acme: erased .* UTC by .+@.+, 4 rows\n$/),
  });
});
