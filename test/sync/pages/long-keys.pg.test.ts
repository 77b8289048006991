// A record that cannot be kept under its identifier is a doubt of the run that met it, whatever the list.
import { expect, test } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { openMirror } from '../../support/mirror.ts';

/** Longer than an entry of an index may be, and too irregular to be compressed into one. */
const long = Array.from({ length: 2_500 }, (_, index) => ((index * index * 7919) % 36).toString(36)).join('');

/** Answers as the service does, with the identifier of one record made long. */
function lengthening(name: string, value: string): typeof globalThis.fetch {
  return async (url, init) => {
    const response = await globalThis.fetch(url, init);
    const text = await response.text();
    return new Response(text.replaceAll(`"${name}":"${value}"`, `"${name}":"${long}"`), response);
  };
}

const quarantined = 'select resource, reason from sync.quarantine where resolved_at is null';

test.each(['transaction_id', 'status'] as const)(
  'a %s that no index can hold leaves a sweep unverified, and its neighbours mirrored',
  async (field) => {
    let value = '';
    const fetch: typeof globalThis.fetch = (url, init) => lengthening(field, value)(url, init);
    const mirror = await openMirror({}, {}, { fetch });
    const { world } = mirror.sandbox;
    const { transactionId } = world.insertTransaction('head', { status: 'odd' });
    value = field === 'status' ? 'odd' : transactionId;
    const outcome = await sweepTransactions(mirror.context, { job: 'transactions' });
    expect(outcome).toMatchObject({
      status: 'succeeded',
      verified: false,
      doubts: ['undecodable'],
      inserted: 300,
    });
    expect(await mirror.query(quarantined)).toEqual([
      {
        resource: 'transactions',
        reason: `its ${field === 'status' ? 'status' : 'identifier'} is longer than 1024 bytes`,
      },
    ]);
  },
);

test('a balance with such an asset leaves its tick unverified', async () => {
  const [balance] = (await openMirror()).sandbox.world.balances('all');
  const fetch = lengthening('asset_id', balance?.assetId ?? '');
  const mirror = await openMirror({}, {}, { fetch });
  expect(await snapshotBalances(mirror.context)).toMatchObject({
    status: 'succeeded',
    verified: false,
    doubts: ['undecodable'],
  });
  expect((await mirror.query(quarantined)).length).toBeGreaterThan(0);
});

test('a vault and a whitelist entry with such an id leave their runs unverified', async () => {
  const { world } = (await openMirror()).sandbox;
  const lists = [
    { run: mirrorVaults, fetch: lengthening('vault_id', world.vaults()[0]?.vaultId ?? '') },
    { run: mirrorWhitelist, fetch: lengthening('whitelist_id', world.whitelist()[0]?.whitelistId ?? '') },
  ];
  for (const { run, fetch } of lists) {
    const mirror = await openMirror({}, {}, { fetch });
    expect(await run(mirror.context)).toMatchObject({
      status: 'succeeded',
      verified: false,
      doubts: ['undecodable'],
    });
    expect(await mirror.query(quarantined)).toHaveLength(1);
  }
});
