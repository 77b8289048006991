// A small account for the pages of transactions, with exact moments: one transaction of each standing,
// hostile texts, and enough completed withdrawals to tell what is usual.
import { openReading } from '../../../test/support/api-source.ts';
import { type RunningServer, startServer } from '../../../test/support/running-server.ts';
import { account, openStore, type Store } from '../../../test/support/store.ts';

export const ids = {
  stuck: '795d8712-0a2b-4ced-ad1a-67c831b7ccc3',
  done: '1b0f0d7e-1111-4222-8333-944455566677',
  missing: '2c1f0d7e-1111-4222-8333-944455566677',
  hostile: '3d2f0d7e-1111-4222-8333-944455566677',
} as const;
export const hash = `0x3fa2${'ab12'.repeat(15)}`;
export const longNote = `<script>alert(1)</script> \u202Egnp.exe =HYPERLINK("x") ${'long '.repeat(2_000)}`;

export interface TransactionsWorld {
  readonly store: Store;
  readonly server: RunningServer;
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const daySeconds = 86_400;

interface Given extends Readonly<Record<string, unknown>> {
  readonly transaction_id: string;
  /**
   * Each with the seconds ago between which it was seen first; the first with null where it is older than the
   * mirror.
   */
  readonly statuses: readonly (readonly [status: string, after: number | null, by: number])[];
}

const withdrawal = {
  transaction_type: 'withdraw',
  asset_id: 'USDT',
  asset_name: 'Tether',
  network_id: 'ETH',
  network_name: 'Ethereum',
  amount: '1250.500000000000000001',
  fee: '0.5',
  source_type: 'vault',
  source_id: 'vlt_1',
  source_name: 'Treasury',
  source_address: '0xaaaa00000000000000000000000000000000aaaa',
  destination_type: 'whitelist',
  destination_id: 'wl_1',
  destination_name: 'Kraken Ltd',
  destination_address: '0xbbbb00000000000000000000000000000000bbbb',
  destination_memo: '',
  txn_hash: '',
  blockexplorer_link: '',
  note: '',
};

export async function openTransactionsWorld(): Promise<TransactionsWorld> {
  const store = await openStore();
  await store.query(`update custody.accounts set transactions_since = $1`, [secondsAgo(30 * daySeconds)]);
  for (const given of transactions()) await insert(store, given);
  await store.query(`update custody.accounts set transactions_total = $1`, [transactions().length]);
  await store.query(
    `insert into custody.vaults (account_id, vault_id, vault_type, name, document, first_seen_at, changed_at, content_hash)
     values ($1, 'vlt_1', 'warm', 'Treasury', '{}', now(), now(), 'v')`,
    [account],
  );
  await store.query(
    `insert into custody.whitelist_entries (account_id, entry_id, name, address, document, first_seen_at, changed_at, content_hash)
     values ($1, 'wl_1', 'Kraken Ltd', '0xbbbb', '{}', now(), now(), 'w')`,
    [account],
  );
  await store.query(
    `insert into custody.transaction_revisions (account_id, transaction_id, revision, observed_at, changed_fields, before, after, run_id)
     values ($1, $2, 1, $3, '{note,txn_hash}', '{"txn_hash": "", "note": "<b>old</b>"}', $4, 1)`,
    [account, ids.done, secondsAgo(daySeconds), JSON.stringify({ txn_hash: hash })],
  );
  const server = await startServer({ reading: openReading(store.url), account });
  return { store, server };
}

function transactions(): Given[] {
  const usual = Array.from({ length: 20 }, (_, index): Given => {
    const begin = (index + 2) * daySeconds;
    return {
      ...withdrawal,
      transaction_id: `usual-${String(index).padStart(2, '0')}`,
      note: 'Salaries INV-2026-0042',
      statuses: [
        ['pending', begin + 60, begin],
        ['completed', begin - 1_000, begin - (index === 0 ? 7_200 : 1_200)],
      ],
    };
  });
  return [
    ...usual,
    {
      ...withdrawal,
      transaction_id: ids.stuck,
      note: 'Payout for Zürich office, ticket 4711',
      statuses: [
        ['pending', 3 * daySeconds + 90, 3 * daySeconds],
        ['confirming', 3 * daySeconds - 300, 3 * daySeconds - 360],
      ],
    },
    {
      ...withdrawal,
      transaction_id: ids.done,
      txn_hash: hash,
      blockexplorer_link: `https://explorer.example/tx/${hash}`,
      statuses: [
        ['pending', 10_000, 9_000],
        ['completed', 5_000, 4_000],
      ],
    },
    {
      ...withdrawal,
      transaction_id: ids.missing,
      transaction_type: 'deposit',
      missing_since: secondsAgo(100),
      statuses: [['pending', 2_000, 1_900]],
    },
    {
      ...withdrawal,
      transaction_id: ids.hostile,
      transaction_type: '<img src=x onerror=alert(1)>',
      source_name: '\u202Eevil\u2066 <b>vault</b>',
      source_type: 'external',
      source_id: '',
      blockexplorer_link: 'javascript:alert(1)',
      destination_name: '=1+1',
      note: longNote,
      statuses: [['<i>odd</i>', 800, 700]],
    },
  ];
}

async function insert({ query }: Store, { statuses, ...columns }: Given): Promise<void> {
  const [first] = statuses;
  const last = statuses.at(-1);
  const seen = (seconds: number | null | undefined) =>
    seconds === null || seconds === undefined ? null : secondsAgo(seconds);
  const raw = JSON.stringify({ ...columns, status: last?.[0] }).replace(
    /}$/,
    ',"exact":12345678901234567890.10}',
  );
  const row = {
    account_id: account,
    ...columns,
    status: last?.[0],
    first_seen_after: seen(first?.[1]),
    first_seen_at: seen(first?.[2]),
    status_changed_at: seen(last?.[2]),
    changed_at: seen(last?.[2]),
    content_hash: columns.transaction_id,
    raw,
  };
  const names = Object.keys(row);
  await query(
    `insert into custody.transactions (${names.join()}) values (${names.map((_, index) => `$${index + 1}`).join()})`,
    Object.values(row),
  );
  for (const [index, [status, after, by]] of statuses.entries())
    await query(
      `insert into custody.transaction_status_history
         (account_id, transaction_id, sequence, from_status, to_status, observed_at, run_id, observed_after)
       values ($1, $2, $3, $4, $5, $6, 1, $7)`,
      [
        account,
        columns.transaction_id,
        index + 1,
        statuses[index - 1]?.[0] ?? null,
        status,
        seen(by),
        seen(after),
      ],
    );
}
