// Behind a gateway that sends answers late, twice, to another request or run together (`random-front.ts`),
// each answer that is mirrored is that of its own request. The world stands still, so every revision is false.
// own-answers.test.ts shows for more seeds what a client takes from such a gateway.
import { expect, test, vi } from 'vitest';
import { createRandom } from '../../packages/sandbox/src/values/random.ts';
import { snapshotBalances } from '../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../src/sync/jobs/transactions.ts';
import type { JobContext } from '../../src/sync/run/context.ts';
import { testDatabase } from '../support/database.ts';
import { sized } from '../support/form.ts';
import { mirrorOf } from '../support/mirror.ts';
import { openFront } from '../support/random-front.ts';
import { startSandbox } from '../support/sandbox.ts';
import { mirrored, truth } from '../support/truth.ts';

vi.setConfig({ testTimeout: 300_000 });
const database = await testDatabase();
const bare = { vaultsKey: null, whitelistKey: null };
const seeds = sized({ short: 5, long: 40 }, 'SEEDS');

/** Everything at once, so that answers to different requests are under way; what fails is tried again. */
async function syncAll(context: JobContext, full: boolean): Promise<void> {
  await Promise.allSettled([
    syncTransactions(context, { full }),
    snapshotBalances(context),
    mirrorVaults(context),
    mirrorWhitelist(context),
  ]);
}

async function falseRevisions(account: string): Promise<unknown[]> {
  return await database.query(
    `
    select 'status' as of, transaction_id as id, to_status as change from custody.transaction_status_history
      where account_id = $1 and sequence > 1
    union all select 'transaction', transaction_id, changed_fields::text from custody.transaction_revisions
      where account_id = $1
    union all select kind, document_id, change from custody.document_revisions
      where account_id = $1 and change <> 'added'
    union all select 'balance', asset_id, valid_to::text from custody.balances
      where account_id = $1 and valid_to is not null
    union all select 'quarantine', record_key, reason from sync.quarantine where account_id = $1`,
    [account],
  );
}

/** The row, whatever the order of its members. */
function formOf(row: unknown): string {
  return JSON.stringify(row, (_, value: unknown) =>
    value instanceof Object && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Nothing that such a gateway does becomes a row or a revision. */
async function mirrorBehindGateway(seed: number): Promise<void> {
  const random = createRandom(seed, 'front');
  const { sandbox, url } = await startSandbox({
    seed,
    transactions: 60,
    ...(seed % 3 === 1 ? { shape: bare } : {}),
  });
  const front = await openFront(url, () => random.next(), 0.25);
  const account = `seed-${seed}`;
  const { context } = await mirrorOf(
    { url: front.url, key: sandbox.apiKey },
    { CUSTODY_ACCOUNT: account, CUSTODY_PAGE_SIZE: '12', CUSTODY_TIMEOUT_MS: '2000' },
    {},
    database,
  );
  const world = truth(sandbox);
  for (let cycle = 0; cycle < 2; cycle += 1) await syncAll(context, cycle === 0);
  for (const [table, rows] of Object.entries(await mirrored(database, account))) {
    const known = new Set(world[table as keyof typeof world].map(formOf));
    expect(
      rows.filter((row) => !known.has(formOf(row))),
      table,
    ).toEqual([]);
  }
  front.behave();
  await syncAll(context, true);
  expect(await mirrored(database, account)).toEqual(world);
  expect(await falseRevisions(account)).toEqual([]);
}

const together = 5;
test.each(Array.from({ length: Math.ceil(seeds / together) }, (_, group) => group * together))(
  'from seed %i on: no false row, no false revision',
  async (first) => {
    await Promise.all(Array.from({ length: together }, (_, index) => mirrorBehindGateway(first + index)));
  },
);
