// Whether a payee was on the whitelist, where the readings alone do not say it:
// test/sql/destinations.pg.test.ts and the ledger hold what they prove.
import { expect, test } from 'vitest';
import { grant, reading } from '../../../src/store/roles/grants.ts';
import { mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { letAnHourPass } from '../../support/an-hour-later.ts';
import { differences, none } from '../../support/differences.ts';
import { testRole } from '../../support/roles.ts';
import { withClient } from '../../support/server.ts';
import { destinationUseRows } from './expected-destinations.ts';
import { type Observed, observe } from './observed.ts';
import { readView } from './views.ts';

const answers = (observed: Observed) =>
  observed.mirror.query(
    `select is_whitelisted, whitelist_reason from reporting.destination_uses where transaction_id = 'first'`,
  );

const address = '0x00000000000000000000000000000000000000AB';

function pay({ mirror }: Observed): void {
  mirror.sandbox.world.insertTransaction('head', {
    transactionId: 'first',
    transactionType: 'withdraw',
    status: 'completed',
    assetId: 'USDC',
    networkId: 'ETH',
    amount: '1',
    destinationType: 'whitelist',
    destinationId: 'w1',
    destinationAddress: address,
  });
}

const at = (time: string) => `2025-05-01T${time}:00Z`;

async function begin(whitelistIsRead = true): Promise<Observed> {
  const options = { seed: 5, transactions: 20, whitelistEntries: 0 };
  const observed = await observe('2025-04-30T00:00:00Z', options);
  // One that is found empty is believed an hour later.
  if (whitelistIsRead) {
    await mirrorWhitelist(observed.mirror.context);
    letAnHourPass(observed.mirror.context);
  }
  await observed.moveTo(at('09:00'));
  return observed;
}

test('a whitelist that was never read, or may not be, is no clearance', async () => {
  const observed = await begin(false);
  const { mirror } = observed;
  await observed.readTransactions(at('12:01'));
  pay(observed);
  await observed.readTransactions(at('12:05'));
  expect(await answers(observed)).toMatchObject([
    { is_whitelisted: null, whitelist_reason: 'unknown: the whitelist was never read' },
  ]);
  mirror.sandbox.faults.add({ kind: 'err02', endpoint: 'whitelist' });
  expect(await mirrorWhitelist(mirror.context)).toMatchObject({ status: 'failed', errorCode: 'ERR-02' });
  await observed.moveTo(at('12:15'));
  expect(await answers(observed)).toMatchObject([
    { is_whitelisted: null, whitelist_reason: 'unknown: the key may not read the whitelist' },
  ]);
  expect(
    await mirror.query(
      `select non_whitelisted_uses as off, unknown_whitelist_uses::int as unknown, whitelisted_at_first_use, whitelisted_now
       from reporting.destinations where destination_address = $1`,
      [address],
    ),
  ).toEqual([{ off: null, unknown: 1, whitelisted_at_first_use: null, whitelisted_now: null }]);
  // A reader sees the same, though what stands behind it is not open to readers.
  const role = await testRole(mirror);
  await grant(mirror.context.database, role.name, reading);
  const asReader = await withClient(role.url, (client) =>
    client.query<{ unknown: string }>(
      `select sum(unknown_whitelist_uses) as unknown from reporting.destinations
       where destination_id = 'w1' union all select count(*) from reporting.destination_uses where transaction_id = 'first'`,
    ),
  );
  expect(asReader.rows).toEqual([{ unknown: '1' }, { unknown: '1' }]);
});

test('the own vault is named where vaults are not mirrored', async () => {
  const observed = await begin();
  await observed.readTransactions(at('12:01'));
  expect(
    await observed.mirror.query(
      `select count(*)::int from reporting.transactions where vault_id is null or vault_type is not null`,
    ),
  ).toEqual([{ count: 0 }]);
});

test('addresses are compared as their networks do', async () => {
  const observed = await begin();
  const same = (a: string, b: string) =>
    observed.mirror.query('select reporting.address_key($1) = reporting.address_key($2) as same', [a, b]);
  const bech32 = 'bc1qh8qx4ltvunuchtnddv9e2zkktmcm49pvjq0dd7';
  expect(await same(address, address.toLowerCase())).toEqual([{ same: true }]);
  expect(await same(bech32, bech32.toUpperCase())).toEqual([{ same: true }]);
  // Base58, and bech32 in both cases at once, which is none.
  for (const other of ['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', bech32.replace('bc', 'Bc')])
    expect(await same(other, other.toLowerCase())).toEqual([{ same: false }]);
  // As Starknet writes them, without a leading zero; and with spaces around.
  expect(await same('0xAB01cD', ' 0xab01cd ')).toEqual([{ same: true }]);
  expect(await same('', '')).toEqual([{ same: null }]);
});

test('an entry for another asset is named if it may have been held at some moment of the payment', async () => {
  const observed = await begin();
  const { world } = observed.mirror.sandbox;
  await observed.readTransactions(at('09:30'));
  world.addWhitelistEntry({ whitelistId: 'w1', assetId: 'BTC' });
  await observed.readDocuments(at('10:00'));
  await observed.readTransactions(at('10:30'));
  pay(observed);
  await observed.readTransactions(at('11:00'));
  world.removeWhitelistEntry('w1');
  world.addWhitelistEntry({ whitelistId: 'w2' });
  await observed.readDocuments(at('11:30'));
  expect(await answers(observed)).toEqual([
    { is_whitelisted: false, whitelist_reason: 'listed for another asset or network' },
  ]);
  const { rows } = await readView(observed.mirror, 'destination_uses', observed.account);
  expect(differences(rows, destinationUseRows(observed))).toEqual(none);
});

test('an address that differs from the listed one by case alone is unknown where nobody knows whether case counts', async () => {
  const observed = await begin();
  const { world } = observed.mirror.sandbox;
  const listed = 'EQDrjaLahLkMB-hMCmkzOyBuHJ139ZUYmPHu6RRBKnbdLIYI';
  await observed.readTransactions(at('09:30'));
  world.addWhitelistEntry({ whitelistId: 'w9', assetId: 'USDC' });
  world.alterWhitelistEntry('w9', { address: listed });
  await observed.readDocuments(at('10:00'));
  await observed.readTransactions(at('10:30'));
  pay(observed);
  world.alterTransaction('first', { destinationId: '', destinationAddress: listed.toLowerCase() });
  await observed.readTransactions(at('11:00'));
  await observed.readDocuments(at('11:30'));
  expect(await answers(observed)).toMatchObject([
    {
      is_whitelisted: null,
      whitelist_reason: 'unknown: asset, network or address are given in another form',
    },
  ]);
});
