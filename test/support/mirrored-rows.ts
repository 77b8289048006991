// Everything that a mirror holds of an account, as rows that two mirrors of one account have in common: every
// column but the times of observation and the numbers of runs.
import type { TestDatabase } from './database.ts';
import { transactionColumns, wireDetails } from './transaction-columns.ts';

export interface RawChoice {
  /**
   * `extra` is what `raw` has beyond the documented members, which is the same in each mirror; `whole` also
   * how the documented ones were spelled. The default is `extra`.
   */
  readonly raw?: 'extra' | 'whole';
}

type Rows = readonly Record<string, unknown>[];

/** The members of a record that its columns hold, in any spelling. */
const documented = `array['transaction_id', 'id', 'timestamp', 'status', 'transaction']`;
const details = `array['${wireDetails.join("', '")}']`;

/** What an object has beyond the names; nothing where it is no object. */
const beyond = (object: string, names: string) =>
  `case when jsonb_typeof(${object}) = 'object' then ${object} - ${names} else '{}' end`;
/** Where source and destination stand. */
const holder = `(case when jsonb_typeof(raw -> 'transaction') = 'object' then raw -> 'transaction' else raw end)`;
const transactionExtra = `jsonb_build_array(
  raw - ${documented} - case when jsonb_typeof(raw -> 'transaction') = 'object' then array[]::text[] else ${details} end,
  ${beyond(`(raw -> 'transaction')`, details)},
  ${beyond(`(${holder} -> 'source')`, `array['source_type', 'source_id', 'vault_id', 'source_name', 'source_address']`)},
  ${beyond(`(${holder} -> 'destination')`, `array['destination_type', 'destination_id', 'vault_id', 'destination_name', 'destination_address', 'memo']`)})`;
const parts = `array['total_balance', 'available_balance', 'processing_balance', 'staking_balance', 'claimable_balance']`;
const balanceExtra = `jsonb_build_array(raw - array['asset_id', 'asset_name', 'network_id', 'network_name', 'balances'] - ${parts},
  ${beyond(`(case jsonb_typeof(raw -> 'balances') when 'array' then raw #> '{balances,0}' else raw -> 'balances' end)`, parts)})`;

export async function whatIsMirrored(
  database: Pick<TestDatabase, 'query'>,
  { raw = 'extra' }: RawChoice = {},
): Promise<Readonly<Record<'transactions' | 'balances' | 'unreadable' | 'vaults' | 'whitelist', Rows>>> {
  const isWhole = raw === 'whole';
  const [transactions, balances, unreadable, vaults, whitelist] = await Promise.all([
    database.query(`
      select ${transactionColumns},
        ${isWhole ? "content_hash, (raw - 'timestamp')::text as raw" : `${transactionExtra}::text as raw`}
      from custody.transactions where missing_since is null order by transaction_id collate "C"`),
    database.query(`
      select vault_type, asset_id, network_id, asset_name, network_name, total_balance::text, available_balance::text,
        processing_balance::text, staking_balance::text, claimable_balance::text,
        (${isWhole ? 'raw' : balanceExtra})::text as raw
      from custody.balances where valid_to is null order by vault_type, asset_id collate "C", network_id collate "C"`),
    database.query(`
      select vault_type, asset_id, network_id from custody.unreadable_balances where valid_to is null
      order by vault_type, asset_id collate "C", network_id collate "C"`),
    database.query(`
      select vault_id, vault_type, name, (document - 'timestamp')::text as document${isWhole ? ', content_hash' : ''}
      from custody.vaults where missing_since is null order by vault_id collate "C"`),
    database.query(`
      select entry_id, name, address, asset_id, network_id, (document - 'timestamp')::text as document${isWhole ? ', content_hash' : ''}
      from custody.whitelist_entries where missing_since is null order by entry_id collate "C"`),
  ]);
  return { transactions, balances, unreadable, vaults, whitelist };
}
