// `sync` against a service that follows its documentation: the mirror equals it, field by field and amounts
// exact, however the service spells what the document leaves open or contradicts; and a second run writes no
// mirrored row.
import { expect, test } from 'vitest';
import type { SandboxOptions } from '../../../packages/sandbox/src/options.ts';
import type { Sandbox } from '../../../packages/sandbox/src/sandbox.ts';
import { serveSandbox, sync } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { sampled } from '../../support/form.ts';
import { expectTruth, mirrored, truth, whereRowsLie } from '../../support/truth.ts';

const contradictions = [
  'id',
  'vault-id',
  'stakepool',
  'changepool',
  'balances-array',
  'numeric-amounts',
  'unknown-fields',
  'unknown-status',
  'unknown-type',
  'nul-note',
  'surrogate-note',
] as const;

interface Variant {
  readonly of: string;
  readonly sandbox: SandboxOptions;
  readonly env?: Readonly<Record<string, string>>;
}

const variants: readonly Variant[] = [
  { of: 'as the document shows it', sandbox: {} },
  {
    of: 'with every documented contradiction, each in half of the records',
    sandbox: { quirks: { mixed: true, ...Object.fromEntries(contradictions.map((name) => [name, true])) } },
  },
  {
    of: 'with every documented contradiction in every record',
    sandbox: { quirks: Object.fromEntries(contradictions.map((name) => [name, true])) },
  },
  {
    of: 'with thin lists, times of retrieval, bare arrays, clamped pages, a path prefix and a bearer key',
    sandbox: {
      order: 'oldest-first',
      maxLimit: 17,
      basePath: '/custody/v1',
      keyHeader: 'authorization',
      keyPrefix: 'Bearer ',
      paging: { vaults: 'supported', whitelist: 'refused', 'balances-by-type': 'supported' },
      shape: {
        vaultsKey: null,
        whitelistKey: 'entries',
        vaultIdField: 'id',
        vaultRecord: 'thin',
        oneVault: 'envelope',
        retrievedAt: true,
      },
    },
    env: { CUSTODY_API_KEY_HEADER: 'authorization', CUSTODY_API_KEY_PREFIX: 'Bearer ' },
  },
];

test.each(sampled(variants, { every: 2, from: 1 }))(
  'the mirror equals a service $of, and a second run writes nothing',
  async (variant) => {
    const [service, database] = await Promise.all([serveSandbox(variant.sandbox), testDatabase()]);
    addExtremes(service.sandbox);

    const first = await sync(service, database, variant.env);
    expect(first, first.stderr).toMatchObject({ code: 0 });
    await expectTruth(database, service.sandbox);

    const before = await whereRowsLie(database);
    const again = await sync(service, database, variant.env);
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(again.stdout).toMatch(/transactions: [^|]*nothing new/);
    expect(await whereRowsLie(database)).toEqual(before);
    const [observed] = await database.query(`
    select count(*)::int as snapshots, count(distinct snapshot_at)::int as ticks, sum(changed_count) filter (where
      snapshot_at > (select min(snapshot_at) from custody.balance_snapshots))::int as changes
    from custody.balance_snapshots`);
    expect(observed).toEqual({ snapshots: 6, ticks: 2, changes: 0 });
  },
);

/** Amounts no float can hold, and ids that would not survive a careless path, query or statement. */
function addExtremes({ world }: Sandbox): void {
  const amounts = [
    '0.000000000000000001',
    '98765432109876543210987654321098765432.123456789012345678',
    '0.10',
    '9007199254740993',
  ];
  for (const amount of amounts) world.insertTransaction('head', { status: 'completed', amount, fee: amount });
  const ids = ['a/b?c=d&e#f', '%2F..%00', 'o\'hara "x" \\ {1,2}', 'ключ 鍵 🔑', ' 7 ', '0017'];
  for (const transactionId of ids) world.insertTransaction('tail', { transactionId, status: 'rejected' });
}

test('what the document does not know is kept: fields in raw, to the last digit, and values as text with an anomaly', async () => {
  const quirks = { 'unknown-fields': true, 'unknown-status': 0.1, 'unknown-type': 0.1 };
  const [service, database] = await Promise.all([serveSandbox({ quirks }), testDatabase()]);
  expect(await sync(service, database)).toMatchObject({ code: 0 });

  const kept = await database.query(`
    select distinct raw ->> 'x_sandbox_risk' as risk, raw #>> '{x_sandbox_approvals,0,by}' as approval,
      raw #>> '{transaction,x_sandbox_total}' as total, raw #> '{transaction,source,x_sandbox_tag}' as tag
    from custody.transactions`);
  expect(kept).toEqual([
    { risk: '0.10', approval: 'policy', total: '98765432109876543210.000000000000000001', tag: null },
  ]);
  const balances = await database.query(`
    select distinct raw #>> '{balances,x_sandbox_balance}' as locked, raw ? 'x_sandbox_source' as priced
    from custody.balances`);
  expect(balances).toEqual([{ locked: '0', priced: true }]);
  const documents = await database.query(`
    select distinct document #>> '{x_sandbox_risk,score}' as score from custody.vaults
    union select document #>> '{x_sandbox_risk,score}' from custody.whitelist_entries`);
  expect(documents).toEqual([{ score: '0.1' }]);

  const anomalies = await database.query(`
    select kind, resource, resource_id, resolved_at from sync.anomalies order by resource_id`);
  expect(anomalies).toEqual([
    { kind: 'unknown-value', resource: 'transactions', resource_id: 'status:settling', resolved_at: null },
    {
      kind: 'unknown-value',
      resource: 'transactions',
      resource_id: 'transaction_type:airdrop',
      resolved_at: null,
    },
  ]);
});

test('an empty account is mirrored as such once the operator confirmed it, not by two runs in a row', async () => {
  const sandbox = { transactions: 0, warmVaults: 0, coldVaults: 0, whitelistEntries: 0 };
  const [service, database] = await Promise.all([serveSandbox(sandbox), testDatabase()]);
  for (let times = 0; times < 2; times += 1) {
    const doubted = await sync(service, database);
    expect(doubted, doubted.stderr).toMatchObject({ code: 0 });
    expect(doubted.stdout).toContain('or sync --empty accepts it at once');
    expect(await database.query('select job from sync.runs where verified')).toEqual([]);
    expect(await database.query('select vault_type from custody.balance_snapshots')).toEqual([]);
  }
  const run = await sync(service, database, {}, ['--empty']);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(await mirrored(database)).toEqual({ transactions: [], balances: [], vaults: [], whitelist: [] });
  const snapshots = await database.query(
    'select vault_type, asset_count from custody.balance_snapshots order by 1',
  );
  expect(snapshots).toEqual([
    { vault_type: 'all', asset_count: 0 },
    { vault_type: 'cold', asset_count: 0 },
    { vault_type: 'warm', asset_count: 0 },
  ]);
});

test('only the resources that are named are mirrored', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const run = await sync(service, database, {}, ['balances', 'vaults']);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  const { balances, vaults } = truth(service.sandbox);
  expect(await mirrored(database)).toEqual({ transactions: [], balances, vaults, whitelist: [] });
  expect(Object.keys(service.sandbox.requests.byEndpoint).sort()).toEqual([
    'balances',
    'balances-by-type',
    'vault',
    'vaults',
  ]);
});
