// The types of the read API. Generated from docs/openapi.json by `npm run generate`; do not edit.

export interface Transaction {
  /** Identifier that the service gave the transaction. */
  transaction_id: string;
  /** Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent. */
  status: string;
  /** True while the status is not settled (completed, rejected, cancelled, failed); an undocumented status counts as open. Null for an open transaction that the service no longer shows: its outcome is unknown. */
  is_open: boolean | null;
  /** Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool. */
  transaction_type: string | null;
  /** Seen from the account: in (deposit), out (withdraw), internal (between vaults) or staking. An undocumented type is classified by source and destination, else unknown. */
  direction: string | null;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** Amount in units of the asset: exact, without padding zeros, unsigned (see direction). Null if the service sent none. */
  amount: string | null;
  /** Fee in units of fee_asset_id, exact. Null if the service sent none. */
  fee: string | null;
  /** Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction. */
  fee_asset_id: string | null;
  /** True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption. */
  fee_asset_is_assumed: boolean;
  /** The account's own vault: the destination if it comes from elsewhere, else the source, whatever its type. Taken from the transaction, so it is set even if vaults are not mirrored. */
  vault_id: string | null;
  /** Name of the account's own vault: from the transaction, else its current name. */
  vault_name: string | null;
  /** warm or cold; null if the vault is not mirrored. */
  vault_type: string | null;
  /** Type of the counterparty: vault, external, whitelist, network, stake pool or validator. */
  counterparty_type: string | null;
  /** Identifier of the counterparty; null if the service sends none, as for external sources. */
  counterparty_id: string | null;
  /** Name of the counterparty: from the transaction, else the current name of the vault or whitelist entry. */
  counterparty_name: string | null;
  /** Wallet address of the counterparty. */
  counterparty_address: string | null;
  /** Type of the source: vault, external, whitelist or network. */
  source_type: string | null;
  /** Identifier of the source; empty for an external source. */
  source_id: string | null;
  /** Name of the source; empty for an external source. */
  source_name: string | null;
  /** Wallet address of the source. */
  source_address: string | null;
  /** Type of the destination: vault, whitelist, network, stake pool or validator. */
  destination_type: string | null;
  /** Identifier of the destination. */
  destination_id: string | null;
  /** Name of the destination. */
  destination_name: string | null;
  /** Wallet address of the destination. */
  destination_address: string | null;
  /** Memo, tag or note for addresses that use one; may be empty. */
  destination_memo: string | null;
  /** Transaction hash on the blockchain. */
  txn_hash: string | null;
  /** Link to the transaction on a block explorer. */
  blockexplorer_link: string | null;
  /** Note of the transaction; may be empty. */
  note: string | null;
  /** A moment at which it certainly did not exist yet: it was created between this and first_seen_at. Null if unknown, as for records older than the mirror. */
  first_seen_after: string | null;
  /** When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep. */
  first_seen_at: string;
  /** Whether it existed before the mirror, so that its beginning is unknown. */
  is_older_than_mirror: boolean;
  /** When the mirror first saw the current status. The change itself happened between the previous reading and this moment. */
  status_since: string;
  /** When the mirror saw its current settled status begin: for one that completed and then failed, when it failed. Null while open, and if it had that status before the mirror began. The daily reports count it when it was first seen in that status: see settlement_history. */
  settled_at: string | null;
  /** When the answer that last changed any of it arrived. Going missing does not count as a change: see missing_since. */
  changed_at: string;
  /** When the service stopped showing it; null while it shows it. */
  missing_since: string | null;
}
export interface TransactionAt {
  /** Identifier that the service gave the transaction. */
  transaction_id: string;
  /** Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent. */
  status: string;
  /** True while the status is not settled (completed, rejected, cancelled, failed); an undocumented status counts as open. Null for an open transaction that the service no longer shows: its outcome is unknown. */
  is_open: boolean | null;
  /** Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool. */
  transaction_type: string | null;
  /** Seen from the account: in (deposit), out (withdraw), internal (between vaults) or staking. An undocumented type is classified by source and destination, else unknown. */
  direction: string | null;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** Amount in units of the asset: exact, without padding zeros, unsigned (see direction). Null if the service sent none. */
  amount: string | null;
  /** Fee in units of fee_asset_id, exact. Null if the service sent none. */
  fee: string | null;
  /** Type of the source: vault, external, whitelist or network. */
  source_type: string | null;
  /** Identifier of the source; empty for an external source. */
  source_id: string | null;
  /** Name of the source; empty for an external source. */
  source_name: string | null;
  /** Wallet address of the source. */
  source_address: string | null;
  /** Type of the destination: vault, whitelist, network, stake pool or validator. */
  destination_type: string | null;
  /** Identifier of the destination. */
  destination_id: string | null;
  /** Name of the destination. */
  destination_name: string | null;
  /** Wallet address of the destination. */
  destination_address: string | null;
  /** Memo, tag or note for addresses that use one; may be empty. */
  destination_memo: string | null;
  /** Transaction hash on the blockchain. */
  txn_hash: string | null;
  /** Link to the transaction on a block explorer. */
  blockexplorer_link: string | null;
  /** Note of the transaction; may be empty. */
  note: string | null;
  /** When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep. */
  first_seen_at: string;
  /** When the mirror first saw the current status. The change itself happened between the previous reading and this moment. */
  status_since: string;
  /** When the service stopped showing it; null while it shows it. */
  missing_since: string | null;
}
export interface TransactionWithHistory {
  /** Identifier that the service gave the transaction. */
  transaction_id: string;
  /** Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent. */
  status: string;
  /** True while the status is not settled (completed, rejected, cancelled, failed); an undocumented status counts as open. Null for an open transaction that the service no longer shows: its outcome is unknown. */
  is_open: boolean | null;
  /** Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool. */
  transaction_type: string | null;
  /** Seen from the account: in (deposit), out (withdraw), internal (between vaults) or staking. An undocumented type is classified by source and destination, else unknown. */
  direction: string | null;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** Amount in units of the asset: exact, without padding zeros, unsigned (see direction). Null if the service sent none. */
  amount: string | null;
  /** Fee in units of fee_asset_id, exact. Null if the service sent none. */
  fee: string | null;
  /** Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction. */
  fee_asset_id: string | null;
  /** True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption. */
  fee_asset_is_assumed: boolean;
  /** The account's own vault: the destination if it comes from elsewhere, else the source, whatever its type. Taken from the transaction, so it is set even if vaults are not mirrored. */
  vault_id: string | null;
  /** Name of the account's own vault: from the transaction, else its current name. */
  vault_name: string | null;
  /** warm or cold; null if the vault is not mirrored. */
  vault_type: string | null;
  /** Type of the counterparty: vault, external, whitelist, network, stake pool or validator. */
  counterparty_type: string | null;
  /** Identifier of the counterparty; null if the service sends none, as for external sources. */
  counterparty_id: string | null;
  /** Name of the counterparty: from the transaction, else the current name of the vault or whitelist entry. */
  counterparty_name: string | null;
  /** Wallet address of the counterparty. */
  counterparty_address: string | null;
  /** Type of the source: vault, external, whitelist or network. */
  source_type: string | null;
  /** Identifier of the source; empty for an external source. */
  source_id: string | null;
  /** Name of the source; empty for an external source. */
  source_name: string | null;
  /** Wallet address of the source. */
  source_address: string | null;
  /** Type of the destination: vault, whitelist, network, stake pool or validator. */
  destination_type: string | null;
  /** Identifier of the destination. */
  destination_id: string | null;
  /** Name of the destination. */
  destination_name: string | null;
  /** Wallet address of the destination. */
  destination_address: string | null;
  /** Memo, tag or note for addresses that use one; may be empty. */
  destination_memo: string | null;
  /** Transaction hash on the blockchain. */
  txn_hash: string | null;
  /** Link to the transaction on a block explorer. */
  blockexplorer_link: string | null;
  /** Note of the transaction; may be empty. */
  note: string | null;
  /** A moment at which it certainly did not exist yet: it was created between this and first_seen_at. Null if unknown, as for records older than the mirror. */
  first_seen_after: string | null;
  /** When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep. */
  first_seen_at: string;
  /** Whether it existed before the mirror, so that its beginning is unknown. */
  is_older_than_mirror: boolean;
  /** When the mirror first saw the current status. The change itself happened between the previous reading and this moment. */
  status_since: string;
  /** When the mirror saw its current settled status begin: for one that completed and then failed, when it failed. Null while open, and if it had that status before the mirror began. The daily reports count it when it was first seen in that status: see settlement_history. */
  settled_at: string | null;
  /** When the answer that last changed any of it arrived. Going missing does not count as a change: see missing_since. */
  changed_at: string;
  /** When the service stopped showing it; null while it shows it. */
  missing_since: string | null;
  /** Its statuses, the first 500. */
  timeline: {
    /** Number of the observed status within the transaction, from 1 (first sighting). */
    sequence: number;
    /** The observed status. */
    status: string;
    /** Previous status; null at the first sighting. */
    previous_status: string | null;
    /** A moment at which the transaction was certainly not in this status yet; null if none is known. */
    entered_after: string | null;
    /** When the status was first seen. */
    entered_at: string;
    /** Meaning of entered_at: between two readings (the change happened between entered_after and entered_at), first sighting (it appeared in this status), before the mirror began (the true time is unknown). */
    entered_bound: string;
    /** A moment at which the transaction was certainly still in this status; null if none is known. */
    left_after: string | null;
    /** When the next status was first seen; null for the current one. */
    left_at: string | null;
    /** Meaning of left_at: between two readings, or still for the current status. */
    left_bound: string;
    /** True for the current status. */
    is_current: boolean;
  }[];
  /** Its revisions, the first 500. */
  revisions: {
    /** Number of the change within the transaction, from 1. */
    revision: number;
    /** When the answer that showed the change arrived. The change itself happened earlier. */
    observed_at: string;
    /** Names of the changed columns; a field without a column appears as raw. and its path in the record. */
    changed_fields: string[];
    /** The changed fields before the change, without those that were absent. */
    before: {
      [k: string]: unknown;
    };
    /** The changed fields after the change, without those that are absent now. */
    after: {
      [k: string]: unknown;
    };
    /** The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist. */
    run_id: number;
    /** Digest of the record without its timestamp; it changes when the record does. */
    content_hash: string | null;
  }[];
  /** The first checkpoint of the sealed history that holds all statuses and revisions; null where nothing is sealed. */
  sealed: {
    /** How many rows the checkpoint seals; null while it is not sealed. */
    checkpoint: number | null;
    /** When the checkpoint was signed. */
    signed_at: string | null;
    /** When the whole history was last verified on schedule; null for never. */
    verified_at: string | null;
    /** Whether that verification found something that is not as it was sealed. */
    is_altered: boolean;
  } | null;
  /** The record as it was received when it last changed. */
  raw: {
    [k: string]: unknown;
  };
}
export interface UsualTimes {
  /** The type of these transactions. */
  transaction_type: string | null;
  /** The asset of these transactions. */
  asset_id: string | null;
  /** Number of transactions behind these figures: the last 200 of this type and asset that were observed from start to completion. */
  completed: number;
  /** When the first of them was first seen. */
  since: string | null;
  /** Median time from first seen to first seen completed. */
  median_seconds: number | null;
  /** 95 of 100 of them took no longer than this. */
  p95_seconds: number | null;
  /** The longest. */
  longest_seconds: number | null;
}
export interface TimelineEntry {
  /** Number of the observed status within the transaction, from 1 (first sighting). */
  sequence: number;
  /** The observed status. */
  status: string;
  /** Previous status; null at the first sighting. */
  previous_status: string | null;
  /** A moment at which the transaction was certainly not in this status yet; null if none is known. */
  entered_after: string | null;
  /** When the status was first seen. */
  entered_at: string;
  /** Meaning of entered_at: between two readings (the change happened between entered_after and entered_at), first sighting (it appeared in this status), before the mirror began (the true time is unknown). */
  entered_bound: string;
  /** A moment at which the transaction was certainly still in this status; null if none is known. */
  left_after: string | null;
  /** When the next status was first seen; null for the current one. */
  left_at: string | null;
  /** Meaning of left_at: between two readings, or still for the current status. */
  left_bound: string;
  /** True for the current status. */
  is_current: boolean;
}
export interface TransactionRevision {
  /** Number of the change within the transaction, from 1. */
  revision: number;
  /** When the answer that showed the change arrived. The change itself happened earlier. */
  observed_at: string;
  /** Names of the changed columns; a field without a column appears as raw. and its path in the record. */
  changed_fields: string[];
  /** The changed fields before the change, without those that were absent. */
  before: {
    [k: string]: unknown;
  };
  /** The changed fields after the change, without those that are absent now. */
  after: {
    [k: string]: unknown;
  };
  /** The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist. */
  run_id: number;
  /** Digest of the record without its timestamp; it changes when the record does. */
  content_hash: string | null;
}
export interface Balance {
  /** Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two. */
  vault_type: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** Total balance in units of the asset: exact, without padding zeros. */
  total_balance: string | null;
  /** Available part. */
  available_balance: string | null;
  /** Part being processed in a transaction. */
  processing_balance: string | null;
  /** Staked part. */
  staking_balance: string | null;
  /** Part claimable from staking. */
  claimable_balance: string | null;
  /** False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service. */
  is_known: boolean;
  /** For an unknown balance: the last earlier observation (its snapshot_at) that showed it, or showed that it did not exist; null if there is none. Null for a known balance. */
  last_known_at: string | null;
  /** First snapshot that showed these values. */
  unchanged_since: string | null;
  /** When the balance was observed. */
  observed_at: string;
}
export interface BalanceAt {
  /** Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two. */
  vault_type: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** Total balance in units of the asset: exact, without padding zeros. */
  total_balance: string | null;
  /** Available part. */
  available_balance: string | null;
  /** Part being processed in a transaction. */
  processing_balance: string | null;
  /** Staked part. */
  staking_balance: string | null;
  /** Part claimable from staking. */
  claimable_balance: string | null;
  /** False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service. */
  is_known: boolean;
  /** For an unknown balance: the last earlier observation (its snapshot_at) that showed it, or showed that it did not exist; null if there is none. Null for a known balance. */
  last_known_at: string | null;
  /** First snapshot that showed these values. */
  unchanged_since: string | null;
  /** When the balance was observed. */
  observed_at: string | null;
}
export interface BalanceSplit {
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** Total of all vaults, exact; null when it is unknown or not listed. */
  all_total: string | null;
  /** Total of the warm vaults; null when it is unknown or not listed. */
  warm_total: string | null;
  /** Total of the cold vaults; null when it is unknown or not listed. */
  cold_total: string | null;
  /** True: the total of all vaults is known; false: it is unknown, not zero; null: the observation of all vaults showed no such asset. */
  all_is_known: boolean | null;
  /** The same for the warm vaults. */
  warm_is_known: boolean | null;
  /** The same for the cold vaults. */
  cold_is_known: boolean | null;
  /** Part of all vaults that is available. */
  available_balance: string | null;
  /** Part of all vaults that is being processed in a transaction. */
  processing_balance: string | null;
  /** Part of all vaults that is staked. */
  staking_balance: string | null;
  /** Part of all vaults that can be claimed from staking. */
  claimable_balance: string | null;
  /** First snapshot that showed these values of all vaults. */
  unchanged_since: string | null;
  /** Where the balance of all vaults is unknown: the last observation that showed it. */
  last_known_at: string | null;
  /** When the observation of all vaults was made. */
  observed_at: string | null;
  /** The requested currency; null without one. */
  currency: string | null;
  /** The latest price by then; null where none was given. */
  price: string | null;
  /** When the price took effect. */
  price_as_of: string | null;
  /** Value of what all vaults hold; null where the balance or the price is unknown. */
  total_value: string | null;
}
export interface BalanceSplitAt {
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** Total of all vaults, exact; null when it is unknown or not listed. */
  all_total: string | null;
  /** Total of the warm vaults; null when it is unknown or not listed. */
  warm_total: string | null;
  /** Total of the cold vaults; null when it is unknown or not listed. */
  cold_total: string | null;
  /** True: the total of all vaults is known; false: it is unknown, not zero; null: the observation of all vaults showed no such asset. */
  all_is_known: boolean | null;
  /** The same for the warm vaults. */
  warm_is_known: boolean | null;
  /** The same for the cold vaults. */
  cold_is_known: boolean | null;
  /** Part of all vaults that is available. */
  available_balance: string | null;
  /** Part of all vaults that is being processed in a transaction. */
  processing_balance: string | null;
  /** Part of all vaults that is staked. */
  staking_balance: string | null;
  /** Part of all vaults that can be claimed from staking. */
  claimable_balance: string | null;
  /** First snapshot that showed these values of all vaults. */
  unchanged_since: string | null;
  /** Where the balance of all vaults is unknown: the last observation that showed it. */
  last_known_at: string | null;
  /** When the observation of all vaults was made. */
  observed_at: string | null;
  /** The requested currency; null without one. */
  currency: string | null;
  /** The latest price by then; null where none was given. */
  price: string | null;
  /** When the price took effect. */
  price_as_of: string | null;
  /** Value of what all vaults hold; null where the balance or the price is unknown. */
  total_value: string | null;
}
export interface BalanceChange {
  /** Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two. */
  vault_type: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** Lower bound of the change: when the first request of the observation unchanged_until began. Null without an earlier observation. */
  changed_after: string | null;
  /** Upper bound of the change: when the last answer of the observation changed_at arrived. */
  changed_before: string;
  /** First observation (its snapshot_at) that showed the change, which happened between changed_after and changed_before. */
  changed_at: string;
  /** Last observation (its snapshot_at) that showed the balance without the change; observations in between could not read it. Null if no earlier observation showed it. */
  unchanged_until: string | null;
  /** first observed (no earlier observation shows whether it existed), appeared, changed or disappeared (no longer listed by the service). */
  change: string;
  /** Total balance before. */
  total_before: string | null;
  /** Total balance after. */
  total_after: string | null;
  /** total_after - total_before; null if change is first observed. */
  total_change: string | null;
  /** Available part before. */
  available_before: string | null;
  /** Available part after. */
  available_after: string | null;
  /** Part being processed before. */
  processing_before: string | null;
  /** Part being processed after. */
  processing_after: string | null;
  /** Staked part before. */
  staking_before: string | null;
  /** Staked part after. */
  staking_after: string | null;
  /** Claimable part before. */
  claimable_before: string | null;
  /** Claimable part after. */
  claimable_after: string | null;
}
export interface Snapshot {
  /** Vaults observed: all, warm or cold. */
  vault_type: string;
  /** When the run of the observation began; the same for the three vault types of one tick. The figures are of a moment between asked_at and answered_at. */
  snapshot_at: string;
  /** When the first request of the observation began. Each figure is from some moment between asked_at and answered_at. */
  asked_at: string;
  /** When the last answer of the observation had arrived. */
  answered_at: string;
  /** Timestamp of the answer, set by the service. */
  source_timestamp: string | null;
  /** Number of balances in the snapshot. */
  asset_count: number;
  /** Number of balances that began, changed or ended with this snapshot. */
  changed_count: number;
  /** Number of unreadable records in the answer. They are in sync.quarantine instead. */
  quarantined_count: number;
  /** Number of records that could not even be identified. A balance missing from this snapshot may be one of them, so no interval of balances ends with it. */
  unidentified_count: number;
  /** The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist. */
  run_id: number;
}
export interface Tick {
  /** One of each vault type that was observed. */
  snapshots: {
    /** Vaults observed: all, warm or cold. */
    vault_type: string;
    /** When the run of the observation began; the same for the three vault types of one tick. The figures are of a moment between asked_at and answered_at. */
    snapshot_at: string;
    /** When the first request of the observation began. Each figure is from some moment between asked_at and answered_at. */
    asked_at: string;
    /** When the last answer of the observation had arrived. */
    answered_at: string;
    /** Timestamp of the answer, set by the service. */
    source_timestamp: string | null;
    /** Number of balances in the snapshot. */
    asset_count: number;
    /** Number of balances that began, changed or ended with this snapshot. */
    changed_count: number;
    /** Number of unreadable records in the answer. They are in sync.quarantine instead. */
    quarantined_count: number;
    /** Number of records that could not even be identified. A balance missing from this snapshot may be one of them, so no interval of balances ends with it. */
    unidentified_count: number;
    /** The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist. */
    run_id: number;
  }[];
  /** The first checkpoint of the sealed history that holds all of them; null where nothing is sealed. */
  sealed: {
    /** How many rows the checkpoint seals; null while it is not sealed. */
    checkpoint: number | null;
    /** When the checkpoint was signed. */
    signed_at: string | null;
    /** When the whole history was last verified on schedule; null for never. */
    verified_at: string | null;
    /** Whether that verification found something that is not as it was sealed. */
    is_altered: boolean;
  } | null;
}
export interface BalancePoint {
  /** Where the step begins: the shortest length for which the span has at most about 200. */
  starts_at: string;
  /** Where the step ends. From a day on, steps are days of the account. */
  ends_at: string;
  /** Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two. */
  vault_type: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** observed; unreadable (the record could not be read, or none of the asset could be identified: the balance is unknown, not zero); not listed (the observation showed no such asset); or not observed (a gap). */
  state: string;
  /** The last observation that was answered within the step (its snapshot_at); null in a gap. */
  observed_at: string | null;
  /** Total balance in units of the asset: exact, without padding zeros. */
  total_balance: string | null;
  /** Available part. */
  available_balance: string | null;
  /** Part being processed in a transaction. */
  processing_balance: string | null;
  /** Staked part. */
  staking_balance: string | null;
  /** Part claimable from staking. */
  claimable_balance: string | null;
  /** In a gap: the last observation before it; null when there is none. */
  gap_from: string | null;
  /** In a gap: the first observation after it; null while it lasts. */
  gap_to: string | null;
}
export interface BalanceTrend {
  /** Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two. */
  vault_type: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string;
  /** The first of these days. */
  from_day: string;
  /** The last of these days. */
  to_day: string;
  /** The days at whose end the balance was known, in order. */
  days: string[];
  /** Total balance at the end of each of them, exact, in the same order. */
  totals: string[];
}
export interface PortfolioValueDay {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE). */
  day: string;
  /** Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two. */
  vault_type: string;
  /** Currency of the prices, from custody.asset_prices. */
  currency: string;
  /** Sum of total balance times price, exact: round it as the currency requires. It leaves out balances without a price and unknown ones: see without_price and unknown. */
  total_value: string;
  /** Number of balances in the sum, one per asset and network, zeros included. */
  valued: number;
  /** Number of nonzero balances without a price in the currency. */
  without_price: number;
  /** Number of balances that could not be read, records that could not be identified included. */
  unknown: number;
  /** When the oldest of the prices took effect; null for an empty sum. */
  oldest_price_as_of: string | null;
  /** When the observation of these figures was made. */
  observed_at: string;
}
export interface MovementValue {
  /** Identifier that the service gave the transaction. */
  transaction_id: string;
  /** When the mirror first saw it completed. Those completed before the mirror began are left out. */
  settled_at: string;
  /** in (deposit) or out (withdraw). */
  direction: string;
  /** deposit or withdraw. */
  transaction_type: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Amount in units of the asset, without fees: exact, without padding zeros. */
  amount: string;
  /** Currency of the prices in custody.asset_prices. */
  currency: string;
  /** Latest price of one unit of the asset when it was completed, from custody.asset_prices. */
  price: string;
  /** When that price took effect. */
  price_as_of: string;
  /** Amount times price, exact: round it as the currency requires. */
  value: string;
  /** Name of the counterparty: from the transaction, else the current name of the vault or whitelist entry. */
  counterparty_name: string | null;
  /** Wallet address of the counterparty. */
  counterparty_address: string | null;
  /** When the service stopped showing it; null while it shows it. */
  missing_since: string | null;
}
export interface BalanceValue {
  /** Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two. */
  vault_type: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** Currency of the prices in custody.asset_prices. */
  currency: string;
  /** Price of one unit of the asset, from custody.asset_prices. */
  price: string;
  /** When that price took effect. */
  price_as_of: string;
  /** Total balance in units of the asset: exact, without padding zeros. */
  total_balance: string | null;
  /** Total balance times price, exact: round it as the currency requires. Null if the balance is unknown; a sum over it is then unknown too, although sum() skips nulls. */
  total_value: string | null;
  /** False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service. */
  is_known: boolean;
  /** When the balance was observed. */
  observed_at: string | null;
}
export interface BalanceValueAt {
  /** Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two. */
  vault_type: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string;
  /** Name of the blockchain network. */
  network_name: string | null;
  /** Currency of the prices in custody.asset_prices. */
  currency: string;
  /** Price of one unit of the asset, from custody.asset_prices. */
  price: string;
  /** When that price took effect. */
  price_as_of: string;
  /** Total balance in units of the asset: exact, without padding zeros. */
  total_balance: string | null;
  /** Total balance times price, exact: round it as the currency requires. Null if the balance is unknown; a sum over it is then unknown too, although sum() skips nulls. */
  total_value: string | null;
  /** False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service. */
  is_known: boolean;
  /** When the balance was observed. */
  observed_at: string | null;
}
export interface PortfolioValue {
  /** Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two. */
  vault_type: string;
  /** Currency of the prices in custody.asset_prices. */
  currency: string;
  /** Sum of the known balances that have a price. The next two count what it leaves out. */
  total_value: string;
  /** What is available of it. Null where the service did not send this part of a balance that is in the sum. */
  available_value: string | null;
  /** What is being processed in transactions. Null where the service did not send this part of a balance that is in the sum. */
  processing_value: string | null;
  /** What is staked. Null where the service did not send this part of a balance that is in the sum. */
  staking_value: string | null;
  /** What can be claimed from staking. Null where the service did not send this part of a balance that is in the sum. */
  claimable_value: string | null;
  /** Number of balances in the sum, one per asset and network, zeros included. */
  valued: number;
  /** Number of nonzero balances without a price in this currency. */
  without_price: number;
  /** Number of balances that could not be read, records that could not be identified included. */
  unknown: number;
  /** When the oldest of the prices took effect; null for an empty sum. */
  oldest_price_as_of: string | null;
}
export interface PortfolioValueAt {
  /** Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two. */
  vault_type: string;
  /** Currency of the prices in custody.asset_prices. */
  currency: string;
  /** Sum of the known balances that have a price. The next two count what it leaves out. */
  total_value: string;
  /** What is available of it. Null where the service did not send this part of a balance that is in the sum. */
  available_value: string | null;
  /** What is being processed in transactions. Null where the service did not send this part of a balance that is in the sum. */
  processing_value: string | null;
  /** What is staked. Null where the service did not send this part of a balance that is in the sum. */
  staking_value: string | null;
  /** What can be claimed from staking. Null where the service did not send this part of a balance that is in the sum. */
  claimable_value: string | null;
  /** Number of balances in the sum, one per asset and network, zeros included. */
  valued: number;
  /** Number of nonzero balances without a price in this currency. */
  without_price: number;
  /** Number of balances that could not be read, records that could not be identified included. */
  unknown: number;
  /** When the oldest of the prices took effect; null for an empty sum. */
  oldest_price_as_of: string | null;
}
export interface Price {
  /** The asset, spelled as in custody.balances. */
  asset_id: string;
  /** Currency of the price, such as USD. */
  currency: string;
  /** When the price takes effect, until the next one of the same asset and currency. */
  as_of: string;
  /** Price of one unit of the asset, in the currency. */
  price: string;
  /** Source of the price, in your words. */
  source: string | null;
}
export interface Vault {
  /** Identifier of the vault. */
  vault_id: string;
  /** Name of the vault, if recognised. */
  name: string | null;
  /** warm or cold. */
  vault_type: string | null;
  /** When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep. */
  first_seen_at: string;
  /** When the answer that last changed this row arrived. */
  changed_at: string;
  /** When the service stopped listing it; null while it lists it. */
  missing_since: string | null;
  /** The whole record as received; the service documents none of its fields. */
  document: {
    [k: string]: unknown;
  };
}
export interface VaultAt {
  /** Identifier of the vault. */
  vault_id: string;
  /** Name recognised in the document; null if none was, as in the next four columns. */
  name: string | null;
  /** Vault type recognised in the document; for vaults only. */
  vault_type: string | null;
  /** Number of the state within the document; 1 is the first sighting. */
  revision: number;
  /** added, changed, removed or restored. */
  change: string;
  /** When the previous whole reading of the list began: the change happened between then and observed_at. Null at the first reading. */
  observed_after: string | null;
  /** When the answer that showed it arrived. */
  observed_at: string;
  /** The whole record; on removal, the last one seen. */
  document: {
    [k: string]: unknown;
  };
}
export interface VaultWithHistory {
  /** Identifier of the vault. */
  vault_id: string;
  /** Name of the vault, if recognised. */
  name: string | null;
  /** warm or cold. */
  vault_type: string | null;
  /** When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep. */
  first_seen_at: string;
  /** When the answer that last changed this row arrived. */
  changed_at: string;
  /** When the service stopped listing it; null while it lists it. */
  missing_since: string | null;
  /** The whole record as received; the service documents none of its fields. */
  document: {
    [k: string]: unknown;
  };
  /** Every observed state, the last 500. */
  revisions: {
    /** Number of the state within the document; 1 is the first sighting. */
    revision: number;
    /** added, changed, removed or restored. */
    change: string;
    /** When the previous whole reading of the list began: the change happened between then and observed_at. Null at the first reading. */
    observed_after: string | null;
    /** When the answer that showed it arrived. */
    observed_at: string;
    /** Name recognised in the document; null if none was, as in the next four columns. */
    name: string | null;
    /** Vault type recognised in the document; for vaults only. */
    vault_type: string | null;
    /** The whole record; on removal, the last one seen. */
    document: {
      [k: string]: unknown;
    };
    /** The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist. */
    run_id: number;
  }[];
}
export interface WhitelistEntry {
  /** Identifier of the entry. */
  entry_id: string;
  /** Name of the entry, if recognised. */
  name: string | null;
  /** Wallet address, if recognised. */
  address: string | null;
  /** Identifier of the asset, if recognised. */
  asset_id: string | null;
  /** Identifier of the network, if recognised. */
  network_id: string | null;
  /** When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep. */
  first_seen_at: string;
  /** When the answer that last changed this row arrived. */
  changed_at: string;
  /** When the service stopped listing it; null while it lists it. */
  missing_since: string | null;
  /** The whole record as received; the service documents none of its fields. */
  document: {
    [k: string]: unknown;
  };
}
export interface WhitelistEntryAt {
  /** Identifier of the entry. */
  entry_id: string;
  /** Name recognised in the document; null if none was, as in the next four columns. */
  name: string | null;
  /** Address recognised in the document; for whitelist entries only. */
  address: string | null;
  /** Asset recognised in the document; for whitelist entries only. */
  asset_id: string | null;
  /** Network recognised in the document; for whitelist entries only. */
  network_id: string | null;
  /** Number of the state within the document; 1 is the first sighting. */
  revision: number;
  /** added, changed, removed or restored. */
  change: string;
  /** When the previous whole reading of the list began: the change happened between then and observed_at. Null at the first reading. */
  observed_after: string | null;
  /** When the answer that showed it arrived. */
  observed_at: string;
  /** The whole record; on removal, the last one seen. */
  document: {
    [k: string]: unknown;
  };
}
export interface WhitelistEntryWithHistory {
  /** Identifier of the entry. */
  entry_id: string;
  /** Name of the entry, if recognised. */
  name: string | null;
  /** Wallet address, if recognised. */
  address: string | null;
  /** Identifier of the asset, if recognised. */
  asset_id: string | null;
  /** Identifier of the network, if recognised. */
  network_id: string | null;
  /** When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep. */
  first_seen_at: string;
  /** When the answer that last changed this row arrived. */
  changed_at: string;
  /** When the service stopped listing it; null while it lists it. */
  missing_since: string | null;
  /** The whole record as received; the service documents none of its fields. */
  document: {
    [k: string]: unknown;
  };
  /** Every observed state, the last 500. */
  revisions: {
    /** Number of the state within the document; 1 is the first sighting. */
    revision: number;
    /** added, changed, removed or restored. */
    change: string;
    /** When the previous whole reading of the list began: the change happened between then and observed_at. Null at the first reading. */
    observed_after: string | null;
    /** When the answer that showed it arrived. */
    observed_at: string;
    /** Name recognised in the document; null if none was, as in the next four columns. */
    name: string | null;
    /** Address recognised in the document; for whitelist entries only. */
    address: string | null;
    /** Asset recognised in the document; for whitelist entries only. */
    asset_id: string | null;
    /** Network recognised in the document; for whitelist entries only. */
    network_id: string | null;
    /** The whole record; on removal, the last one seen. */
    document: {
      [k: string]: unknown;
    };
    /** The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist. */
    run_id: number;
  }[];
}
export interface DocumentChange {
  /** vault or whitelist_entry. */
  kind: string;
  /** Identifier of the vault or the whitelist entry. */
  document_id: string;
  /** Number of the state within the document; 1 is the first sighting. */
  revision: number;
  /** added, changed, removed or restored. */
  change: string;
  /** When the state had certainly not begun yet: the start of the previous reading of the list. Null at the first reading. */
  observed_after: string | null;
  /** When the state was first seen; it began between observed_after and this moment. */
  observed_at: string;
  /** Start of the last reading that still showed the state; earlier than observed_at if only one reading showed it. */
  known_until: string | null;
  /** When the next state was first seen; it began between known_until and this moment. Null for the current state. */
  valid_to: string | null;
  /** Whether the service listed the vault or entry in this state. */
  is_listed: boolean;
  /** Whether this state was shown when the list was first read, so that its beginning is unknown; false for the later states of the same document. */
  is_older_than_mirror: boolean;
  /** True for the current state. */
  is_current: boolean;
  /** Name recognised in the document. */
  name: string | null;
  /** warm or cold, if recognised; for vaults only. */
  vault_type: string | null;
  /** Wallet address, if recognised; for whitelist entries only. */
  address: string | null;
  /** Asset the entry is for; null if it names none, and for vaults. */
  asset_id: string | null;
  /** Network the entry is for; null if it names none, and for vaults. */
  network_id: string | null;
  /** Names of the members of the document that differ from the previous state; empty at the first sighting, and at a removal. */
  changed_fields: string[];
  /** Those members before; one that was absent is left out. */
  before: {
    [k: string]: unknown;
  };
  /** Those members after; one that is absent now is left out. */
  after: {
    [k: string]: unknown;
  };
  /** The whole record; at a removal the last one seen. */
  document: {
    [k: string]: unknown;
  };
  /** The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist. */
  run_id: number;
}
export interface Day {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE). */
  day: string;
  /** First moment of the day. A day on which the clocks or the time zone change does not last 24 hours. */
  starts_at: string;
  /** First moment of the next day. For the day as it was closed, pass ends_at - interval '1 microsecond' to functions such as flows_daily_at. */
  ends_at: string;
  /** Time zone of the account at the end of the day, from SCHEDULE_TIMEZONE. */
  time_zone: string;
}
export interface Flow {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE). */
  day: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Number of completed deposits. */
  deposits: number;
  /** Sum of their amounts; null if the service sent no amount for one of them. */
  in_amount: string | null;
  /** Number of completed withdrawals. */
  withdrawals: number;
  /** Sum of their amounts, without fees; null if the service sent no amount for one of them. */
  out_amount: string | null;
  /** in_amount - out_amount; null if either is null. */
  net_amount: string | null;
  /** Of these, how many the service no longer shows. */
  missing: number;
}
export interface FlowAt {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE). */
  day: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Number of completed deposits. */
  deposits: number;
  /** Sum of their amounts; null if the service sent no amount for one of them. */
  in_amount: string | null;
  /** Number of completed withdrawals. */
  withdrawals: number;
  /** Sum of their amounts, without fees; null if the service sent no amount for one of them. */
  out_amount: string | null;
  /** in_amount - out_amount; null if either is null. */
  net_amount: string | null;
  /** Of these, how many the service no longer shows. */
  missing: number;
}
export interface Fee {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE). */
  day: string;
  /** Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction. Sum fees by this column. */
  fee_asset_id: string | null;
  /** True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption. */
  fee_asset_is_assumed: boolean;
  /** Identifier of the asset of the transactions. */
  asset_id: string | null;
  /** Name of the asset of the transactions. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool. */
  transaction_type: string | null;
  /** Number of transactions with a fee other than 0. */
  transactions: number;
  /** Sum of their fees, in units of fee_asset_id. */
  fee: string | null;
  /** Of these, how many the service no longer shows. */
  missing: number;
}
export interface FeeAt {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE). */
  day: string;
  /** Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction. Sum fees by this column. */
  fee_asset_id: string | null;
  /** True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption. */
  fee_asset_is_assumed: boolean;
  /** Identifier of the asset of the transactions. */
  asset_id: string | null;
  /** Name of the asset of the transactions. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool. */
  transaction_type: string | null;
  /** Number of transactions with a fee other than 0. */
  transactions: number;
  /** Sum of their fees, in units of fee_asset_id. */
  fee: string | null;
  /** Of these, how many the service no longer shows. */
  missing: number;
}
export interface FeeTotal {
  /** Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction. Sum fees by this column. */
  fee_asset_id: string | null;
  /** Whether that is so for some of them: without a rule the asset of the transaction is assumed. */
  fee_asset_is_assumed: boolean;
  /** Number of transactions with a fee other than 0. */
  transactions: number;
  /** Sum of their fees, in units of fee_asset_id. */
  fee: string | null;
}
export interface ReconciledDay {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE). */
  day: string;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset in the balances or the postings; of several, the last in alphabetical order. */
  asset_name: string | null;
  /** True if all transactions were mirrored before the opening observation. If false, transactions may be missing from the flows. */
  is_comparable: boolean;
  /** True if unexplained_difference is 0 and there are no staking_losses. False if no transaction explains what left or came in, or if unexplained_difference is null but a loss is certain. Null if unknown, as on the first day or without a figure, or if undecided: a change may lie on either side of the observation, or transactions were not read since. */
  is_explained: boolean | null;
  /** When the opening balance was observed (its snapshot_at): the last observation answered before the day; null on the first day. */
  opening_observed_at: string | null;
  /** Total balance of all vaults in that observation; 0 if the asset was not listed, null if a record could not be read. */
  opening_balance: string | null;
  /** Inflows by accounting_rules. Deposits in progress count, as they do in the balance. Null on the first day, and if an amount is unknown. */
  inflow: string | null;
  /** Outflows without fees. Null on the first day, and if an amount is unknown. */
  outflow: string | null;
  /** Fees taken from the balance. Null on the first day. */
  fees: string | null;
  /** Growth of staked and claimable balances that no transaction explains; never negative (for losses see staking_losses). Inferred: the service does not report it. Null if unknown: on the first day, if only one of the two observations shows a staked part, or if uncertain stakings leave it open. */
  staking_rewards: string | null;
  /** Loss of staked and claimable balances that no transaction explains; never negative. A loss is not explained. Null if staking_rewards is null. */
  staking_losses: string | null;
  /** opening_balance + inflow - outflow - fees + staking_rewards; null if one of them is null. */
  expected_balance: string | null;
  /** Total balance of all vaults in the last observation of the day; 0 if the asset was not listed, null if a record could not be read. */
  closing_balance: string | null;
  /** When the closing balance was observed (its snapshot_at): the last observation answered on the day. */
  closing_observed_at: string;
  /** Part of the difference due to timing: transactions that may lie on either side of the opening or closing observation can cause it, and between the nearest observations without uncertain transactions (any observation, not only the last of a day) all such differences add up to 0. Null if the difference or staking_rewards is unknown. */
  timing_difference: string | null;
  /** closing_balance - expected_balance - timing_difference; null if one of them is null. */
  unexplained_difference: string | null;
  /** By how much transactions that may lie on either side of the opening observation changed the total, as a sum of absolute amounts. Stakings leave the total unchanged: only their fees count. Computed only if balances differ from the flows, else 0; null if a figure is unknown, as on the first day. */
  uncertain_at_opening: string | null;
  /** The same for the closing observation. Transactions not read yet are not included. */
  uncertain_at_closing: string | null;
}
export interface ExplainedChange {
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset in the balances or the postings; of several, the last in alphabetical order. */
  asset_name: string | null;
  /** The opening observation of all vaults (its snapshot_at); null when there is none. */
  opening_observed_at: string | null;
  /** When its answer had arrived: transactions count from here on. */
  opening_answered_at: string | null;
  /** Total balance of all vaults in that observation; 0 if the asset was not listed, null if a record could not be read. */
  opening_balance: string | null;
  /** What came in, by accounting_rules; null when an amount is unknown. */
  inflow: string | null;
  /** Outflows without fees. Null on the first day, and if an amount is unknown. */
  outflow: string | null;
  /** Fees taken from the balance. */
  fees: string | null;
  /** Total balance of all vaults then; 0 when the asset is not listed, null when it is unknown. */
  closing_balance: string | null;
  /** The closing observation of all vaults (its snapshot_at). */
  closing_observed_at: string;
  /** When its answer had arrived: transactions count up to here. */
  closing_answered_at: string;
  /** closing_balance - opening_balance - inflow + outflow + fees: what no transaction explains. Part of it may be staking (staked_rest), or a transaction that was read later. */
  difference: string | null;
  /** Change of the staked and claimable balances that no transaction explains. */
  staked_rest: string | null;
}
export interface Posting {
  /** Calendar day of observed_at in the time zone of the account (SCHEDULE_TIMEZONE). */
  day: string;
  /** Identifier that the service gave the transaction. */
  transaction_id: string;
  /** status: a first sighting or a change of status. correction: a change of amount, fee, type or asset. */
  kind: string;
  /** Number of the observed status within the transaction, from 1 (first sighting). Null for a correction. */
  sequence: number | null;
  /** Number of the correction among the revisions of the transaction; null for a change of status. */
  revision: number | null;
  /** A moment at which the change had certainly not happened yet. A correction has no bound of its own and takes that of the last documented status before it, or of an earlier one if that is later. Null if unknown. */
  observed_after: string | null;
  /** When the change was first seen. */
  observed_at: string;
  /** Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool. */
  transaction_type: string | null;
  /** Previous status; null at the first sighting. For a correction, the same as to_status. */
  from_status: string | null;
  /** Status after the change; for a correction, the last documented status before it: a status seen in the same answer is posted afterwards. */
  to_status: string | null;
  /** Identifier of the asset moved. A fee in another asset than the transaction has its own row, if it moved. */
  asset_id: string | null;
  /** Name of the asset; null for a fee in another asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown. */
  inflow: string | null;
  /** What left the account, without the fee. Null if the amount is unknown. */
  outflow: string | null;
  /** Fee taken from the total; 0 if the service sent none. */
  fee: string | null;
  /** Change of the total balance: inflow - outflow - fee. Null if the amount is unknown. */
  total_change: string | null;
  /** Change of staking_balance and claimable_balance together. Null if the amount is unknown. */
  staked_change: string | null;
  /** True if custody.fee_rules had no rule for the fee when the change was seen, so fee_asset_id is an assumption. Null for a correction that changes no fee. */
  fee_asset_is_assumed: boolean | null;
}
export interface ReconciliationPosting {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE). */
  day: string;
  /** Identifier of the asset moved. A fee in another asset than the transaction has its own row. */
  asset_id: string | null;
  /** Name of the asset; null for a fee in another asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Identifier that the service gave the transaction. */
  transaction_id: string;
  /** status: a first sighting or a change of status. correction: a change of amount, fee, type or asset. */
  kind: string;
  /** Number of the change within its kind: the sequence of a status, or the revision of a correction. */
  number: number;
  /** A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null if unknown. */
  observed_after: string | null;
  /** When the change was first seen. */
  observed_at: string;
  /** Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool. */
  transaction_type: string | null;
  /** Previous status; null at the first sighting. */
  from_status: string | null;
  /** Status after the change; for a correction, the last documented status before it: a status seen in the same answer is posted afterwards. */
  to_status: string;
  /** What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown. */
  inflow: string | null;
  /** What left the account, without the fee. Null if the amount is unknown. */
  outflow: string | null;
  /** Fee taken from the total; 0 if the service sent none. */
  fee: string | null;
  /** Change of the total balance: inflow - outflow - fee. Null if the amount is unknown. */
  total_change: string | null;
  /** Change of staking_balance and claimable_balance together. Null if the amount is unknown. */
  staked_change: string | null;
  /** True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption. Null for a correction that changes no fee. */
  fee_asset_is_assumed: boolean | null;
}
export interface UncertainPosting {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE). */
  day: string;
  /** Identifier of the asset moved. A fee in another asset than the transaction has its own row. */
  asset_id: string | null;
  /** Name of the asset; null for a fee in another asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Identifier that the service gave the transaction. */
  transaction_id: string;
  /** status: a first sighting or a change of status. correction: a change of amount, fee, type or asset. */
  kind: string;
  /** Number of the change within its kind: the sequence of a status, or the revision of a correction. */
  number: number;
  /** A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null if unknown. */
  observed_after: string | null;
  /** When the change was first seen. */
  observed_at: string;
  /** Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool. */
  transaction_type: string | null;
  /** Previous status; null at the first sighting. */
  from_status: string | null;
  /** Status after the change; for a correction, the last documented status before it: a status seen in the same answer is posted afterwards. */
  to_status: string;
  /** What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown. */
  inflow: string | null;
  /** What left the account, without the fee. Null if the amount is unknown. */
  outflow: string | null;
  /** Fee taken from the total; 0 if the service sent none. */
  fee: string | null;
  /** Change of the total balance: inflow - outflow - fee. Null if the amount is unknown. */
  total_change: string | null;
  /** Change of staking_balance and claimable_balance together. Null if the amount is unknown. */
  staked_change: string | null;
  /** When the observation was made (its snapshot_at): the last one answered on the day. */
  closing_observed_at: string;
}
export interface LateCorrection {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE) on which the transactions count. */
  day: string;
  /** Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed; portfolio_value for total_value of portfolio_value_daily. */
  measure: string;
  /** Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool. */
  transaction_type: string | null;
  /** Identifier of the asset, null for the value; for the measure fee, the asset in which the fee is paid. */
  asset_id: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** The figure at the end of the day; null if an amount was unknown then. */
  as_reported: string | null;
  /** The figure now; null if an amount is unknown. */
  as_known_now: string | null;
  /** as_known_now - as_reported; null if either is null. */
  difference: string | null;
  /** How many transactions contribute differently to the figure now than at the end of the day: settlement_history shows each. 0 for the value. */
  transactions: number;
  /** When the contribution of one of these transactions was last seen to change; for the value, when one of its prices last changed. */
  corrected_at: string;
  /** How many seconds after the end of the day that was. */
  corrected_after: number;
  /** Cause of the difference: answer (the service showed something else later), fee rule (custody.fee_rules was changed), price (custody.asset_prices was changed); several are separated by commas. */
  reason: string;
  /** For the value: currency of the prices; else null. */
  currency: string | null;
  /** For the value: all, warm or cold; else null. */
  vault_type: string | null;
}
export interface Destination {
  /** Type of the destination: vault, whitelist, network, stake pool or validator. */
  destination_type: string | null;
  /** Identifier of the destination; of the whitelist entry if destination_type is whitelist. */
  destination_id: string | null;
  /** Name of the destination, from the last withdrawal to it. */
  destination_name: string | null;
  /** Wallet address of the destination. */
  destination_address: string | null;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset, from the last withdrawal. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Withdrawals to it, whatever their status. */
  uses: number;
  /** Completed uses. */
  completed_uses: number;
  /** Sum of the completed amounts, in units of the asset, exact. Null if the service sent no amount for one of them. */
  completed_amount: string | null;
  /** Withdrawals that the service no longer shows. */
  missing_uses: number;
  /** Withdrawals whose destination was certainly not whitelisted: no reading of the whitelist around them shows the entry or the address for this asset and network. (An entry listed and removed between two readings stays unseen.) Null if the whitelist was never read. Uncertain ones count in unknown_whitelist_uses. */
  non_whitelisted_uses: number | null;
  /** Withdrawals for which it is unknown whether the destination was whitelisted: see destination_uses for the reason. */
  unknown_whitelist_uses: number;
  /** When the mirror first saw the first withdrawal to it; for withdrawals older than the mirror, the time of the first sweep. */
  first_used_at: string;
  /** The first withdrawal to it; the lowest identifier if several were first seen at the same moment. */
  first_transaction_id: string;
  /** When the mirror first saw the last withdrawal to it. */
  last_used_at: string;
  /** The last withdrawal to it; the highest identifier if several were first seen at the same moment. */
  last_transaction_id: string;
  /** Whether it was whitelisted when the first withdrawal was made; null if unknown. */
  whitelisted_at_first_use: boolean | null;
  /** Whether the last reading of the whitelist showed it; null if unknown. */
  whitelisted_now: boolean | null;
}
export interface DestinationDay {
  /** Calendar day in the account's time zone (SCHEDULE_TIMEZONE). */
  day: string;
  /** Type of the destination: vault, whitelist, network, stake pool or validator. */
  destination_type: string | null;
  /** Identifier of the destination; of the whitelist entry if destination_type is whitelist. */
  destination_id: string | null;
  /** Name of the destination, from the last withdrawal to it. */
  destination_name: string | null;
  /** Wallet address of the destination. */
  destination_address: string | null;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset, from the last withdrawal. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Withdrawals to it, whatever their status. */
  uses: number;
  /** Completed uses. */
  completed_uses: number;
  /** Sum of the completed amounts, in units of the asset, exact. Null if the service sent no amount for one of them. */
  completed_amount: string | null;
}
export interface DestinationUse {
  /** Identifier that the service gave the transaction. */
  transaction_id: string;
  /** A moment at which it certainly did not exist yet: it was created between this and first_seen_at. Null if unknown, as for records older than the mirror. */
  first_seen_after: string | null;
  /** When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep. */
  first_seen_at: string;
  /** Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent. */
  status: string;
  /** Whether the status is completed. */
  is_completed: boolean;
  /** Type of the destination: vault, whitelist, network, stake pool or validator. */
  destination_type: string | null;
  /** Identifier of the destination; of the whitelist entry if destination_type is whitelist. */
  destination_id: string | null;
  /** Name of the destination. */
  destination_name: string | null;
  /** Wallet address of the destination. */
  destination_address: string | null;
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Amount in units of the asset: exact, without padding zeros. Null if the service sent none. */
  amount: string | null;
  /** Whether the whitelist held the entry or the address at every moment at which the withdrawal can have been made, for this asset and network if the entry names them. Null if unknown: see whitelist_reason. Never count null as true. */
  is_whitelisted: boolean | null;
  /** Reason for is_whitelisted: listed; not listed; listed for another asset or network; or unknown, and why. The first that applies, in the order of docs/data.md. */
  whitelist_reason: string;
  /** Whether it was whitelisted at known_before_at. */
  whitelisted_before: boolean | null;
  /** The last moment before the withdrawal for which that is certain; null if there is none. */
  known_before_at: string | null;
  /** Whether it was whitelisted at known_after_at. */
  whitelisted_after: boolean | null;
  /** The first moment after the withdrawal for which that is certain; null if there is none yet. */
  known_after_at: string | null;
  /** Whether it existed before the mirror, so that its beginning is unknown. */
  is_older_than_mirror: boolean;
  /** When the service stopped showing it; null while it shows it. */
  missing_since: string | null;
}
export interface DestinationUseTotal {
  /** Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier. */
  asset_id: string | null;
  /** Name of the asset, from the last withdrawal. */
  asset_name: string | null;
  /** Identifier of the blockchain network; empty or null if the service names none. */
  network_id: string | null;
  /** Withdrawals to it, whatever their status. */
  uses: number;
  /** Completed uses. */
  completed_uses: number;
  /** Sum of the completed amounts, in units of the asset, exact. Null if the service sent no amount for one of them. */
  completed_amount: string | null;
  /** Withdrawals whose destination was certainly not whitelisted: no reading of the whitelist around them shows the entry or the address for this asset and network. (An entry listed and removed between two readings stays unseen.) Null if the whitelist was never read. Uncertain ones count in unknown_whitelist_uses. */
  non_whitelisted_uses: number;
  non_whitelisted_amount: string | null;
  /** Withdrawals for which it is unknown whether the destination was whitelisted: see destination_uses for the reason. */
  unknown_whitelist_uses: number;
  unknown_whitelist_amount: string | null;
  /** Withdrawals that the service no longer shows. */
  missing_uses: number;
}
export interface Change {
  /** Increases in commit order; numbers may be skipped. */
  change_id: number;
  /** The history that the row belongs to. */
  kind: 'transaction_status' | 'transaction_revision' | 'vault' | 'whitelist_entry' | 'balance_snapshot';
  /** Identifier of the transaction, vault or whitelist entry; for a snapshot, its vault type. */
  resource_id: string;
  /** When the response that showed the change arrived. */
  observed_at: string;
  /** The run that observed it. */
  run_id: number;
  /** The other columns of the row: of custody.transaction_status_history, transaction_revisions, document_revisions or balance_snapshots. */
  details: {
    [k: string]: unknown;
  };
}
export interface Account {
  /** Name of the mirrored account, as configured in CUSTODY_ACCOUNT. */
  account_id: string;
  /** Base address of the custody service that the account is read from. The same name with another address is refused. */
  base_url: string;
  /** Time zone (IANA name) in which the days of reports begin: SCHEDULE_TIMEZONE of the daemon that last began to write, or of a `sync` that was given one. It takes effect when set; custody.former_time_zones keeps earlier ones. */
  time_zone: string;
  /** When the account was first mirrored. */
  first_seen_at: string;
  /** Transactions first seen up to this time may be of any age; later ones are new. It is the end of the first sweep that read the whole list, or the last first sighting by then if later; for an empty list, the second sweep that found it empty. Null until then, and never changed. */
  transactions_since: string | null;
  /** Number of mirrored transactions, missing ones included. Updated with every commit. */
  transactions_total: number;
  /** Number of those that are missing from the service (missing_since). Updated with every commit. */
  transactions_missing: number;
}
export interface Freshness {
  /** transactions, balances, vaults or whitelist (null for a job that mirrors nothing). */
  resource: string;
  /** Whether CUSTODY_RESOURCES includes the resource. If not, the row shows what was read before. */
  is_mirrored: boolean;
  /** When a run last succeeded. A run that ended more than five minutes in the future does not count. */
  last_success_at: string | null;
  /** Lag in whole seconds. */
  lag_seconds: number | null;
  /** When a run last ended as verified, having shown that it missed nothing. A run that ended more than five minutes in the future does not count. */
  last_verified_at: string | null;
  /** From when the whole list of transactions is mirrored; null until the first sweep has ended, and for the other resources. */
  complete_since: string | null;
  /** Whether the last run of a job of this resource failed and none has succeeded since; false for a resource that is not mirrored. For transactions, also true if sweeps (reconcile) fail while increments succeed. */
  is_failing: boolean;
  /** When a run last failed; failures older than 30 days are deleted. */
  last_failure_at: string | null;
  /** Code of that failure. */
  last_failure_code: string | null;
  /** Message of that failure. */
  last_failure_message: string | null;
  /** Open anomalies (sync.anomalies). */
  open_anomalies: number;
  /** Records that could not be read (sync.quarantine). */
  quarantined_records: number;
}
export interface Health {
  /** The worst row of reporting.health_problems in short: nothing mirrored yet, stopped, failing, starting (a first reading is not finished), stale, never verified, verified too long ago, attention (records in quarantine, too many missing at once, or the database's clock behind the times of the mirror), healthy. */
  health: string;
  /** When a run of any resource last succeeded. */
  last_success_at: string | null;
  /** When a sweep of all transactions last ended as verified. */
  last_verified_sweep_at: string | null;
  /** From when the whole list of transactions is mirrored; null until the first sweep has ended. */
  complete_since: string | null;
  /** When the account was first mirrored. */
  mirrored_since: string;
  /** Time zone of the account's days and months. */
  time_zone: string;
  /** The process that holds the lease and writes; null if there is none. */
  writer: string | null;
  /** When its lease expires unless renewed. */
  writer_lease_until: string | null;
  /** Open anomalies (sync.anomalies). */
  open_anomalies: number | null;
  /** Records that could not be read (sync.quarantine). */
  quarantined_records: number | null;
  /** Runs in the last 24 hours, except those of resources that CUSTODY_RESOURCES now leaves out. */
  runs_24h: number;
  /** Of these, failed. */
  failed_runs_24h: number;
  /** Requests to the service in these runs. */
  requests_24h: number;
  /** Of these, refused by the rate limit of the service. */
  rate_limited_24h: number;
  /** Status changes observed in these runs. */
  status_changes_24h: number;
  problems: {
    /** For sorting: the lower, the worse. */
    rank: number;
    /** replica-behind, nothing-mirrored, stopped, history-altered, sealing-stopped, too-many-missing, key-refused, failing, starting, never-read, stale, never-verified, verified-long-ago, clock-behind, quarantine, anomaly or retired. docs/operations.md gives the cause and the remedy of each. */
    code: string;
    /** critical (replica-behind, nothing-mirrored, starting, stopped, history-altered, sealing-stopped, too-many-missing, and key-refused, failing or stale of the job transactions) or warning: the mirror is not healthy. note (anomaly, retired): worth knowing, but the mirror is healthy. */
    severity: string;
    /** account, a job of sync.runs, a resource, or the kind of an anomaly. */
    subject: string;
    /** When it began; null if unknown. nothing-mirrored, starting and never-read: when the account was first seen. stopped: when its lease ended, or the last success if the process released the lease. replica-behind: the last transaction of the primary replayed here. key-refused and failing: the first failure since the last success. stale: the last success. never-verified: the end of the first sweep. verified-long-ago: the last verified sweep. clock-behind: when it was noticed, by the database's clock. history-altered: when a verification on schedule first found it. sealing-stopped: the first failure of sealing. retired: when it began. Others: when the oldest record was first observed. */
    since: string | null;
    /** Description, without a full stop. */
    problem: string;
    /** Remedy. */
    fix: string;
  }[];
}
export interface Run {
  /** Number of the run. */
  run_id: number;
  /** transactions, balances, vaults, whitelist, reconcile (a sweep of all transactions) or maintenance. */
  job: string;
  /** full: reads a whole list; incremental: reads what is new. */
  mode: string;
  /** running, succeeded, failed, or abandoned because its process stopped. */
  status: string;
  /** When it began. */
  started_at: string;
  /** When it ended; null while it runs. */
  finished_at: string | null;
  /** Requests to the custody service, including retries. */
  requests: number;
  /** Requests retried after a fault. */
  retries: number;
  /** Answers that asked for a slower rate (ERR-03). */
  rate_limited: number;
  /** Records received. A transaction counts every time it is received, other records once. */
  records_read: number;
  /** Records seen for the first time. */
  records_inserted: number;
  /** Records whose content had changed. */
  records_changed: number;
  /** Status changes of transactions observed. */
  status_changes: number;
  /** Unreadable records, repeated ones included. */
  quarantined: number;
  /** Whether every record that stayed in the list throughout was read; null if the job claims nothing. */
  verified: boolean | null;
  /** The evidence for verified, or the doubts against it; for the maintenance job, the number of rows removed. */
  verdict: {
    [k: string]: unknown;
  };
  /** Code of the failure. */
  error_code: string | null;
  /** Message of the failure. */
  error_message: string | null;
  /** Who asked the daemon for it by sync, as role@host (user of the operating system). Null for runs started by a schedule or by sync itself. */
  requested_by: string | null;
}
export interface QuarantinedRecord {
  /** Number of the entry. */
  quarantine_id: number;
  /** transactions, balances, vaults or whitelist (null for a job that mirrors nothing). */
  resource: string;
  /** Why it could not be read. */
  reason: string;
  /** The record as received. */
  raw: string;
  /** The run (sync.runs) that last saw it. */
  run_id: number;
  /** When it was first seen. */
  first_observed_at: string;
  /** When it was last seen. */
  last_observed_at: string;
  /** How often it was seen. */
  occurrences: number;
  /** When the record became readable or was no longer listed; null until then. The row stays. */
  resolved_at: string | null;
}
export interface Anomaly {
  /** Number of the anomaly. */
  anomaly_id: number;
  /** The kind of anomaly; docs/data.md explains each. */
  kind: string;
  /** transactions, balances, vaults or whitelist (null for a job that mirrors nothing). */
  resource: string;
  /** The record, value or balance it concerns; empty if it concerns the whole list. */
  resource_id: string;
  /** What was seen last; in earlier, what else was seen of a kind whose sightings are events. */
  details: {
    [k: string]: unknown;
  };
  /** When it was first seen. */
  first_observed_at: string;
  /** When it was last seen. */
  last_observed_at: string;
  /** How often it was seen. */
  occurrences: number;
  /** When it ended; null while it is open. The row is deleted 90 days later. */
  resolved_at: string | null;
}
export interface Fact {
  /** Name of the fact. */
  fact: string;
  /** What was learned. */
  value: string;
  /** The evidence for it. */
  evidence: string;
  /** When it was last confirmed or changed. */
  updated_at: string;
}
/** A problem (RFC 9457). */
export interface Problem {
  /** Link to the explanation on the reference page. */
  type: string;
  title: string;
  status: number;
  /** The last part of `type`, for programs. */
  code: string;
  detail: string;
  /** The invalid parameters, and what is allowed. */
  errors?: {
    name: string;
    reason: string;
  }[];
  /** For `history-changed` in the feed: where to continue. */
  resume?: {
    after: number;
    history: string | null;
  };
}
export interface ListTransactionsAnswer {
  /** The account. */
  account_id: string;
  data: (Transaction | TransactionAt)[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface GetTransactionAnswer {
  /** The account. */
  account_id: string;
  data: TransactionWithHistory;
}
export interface GetUsualTimesAnswer {
  /** The account. */
  account_id: string;
  data: UsualTimes;
}
export interface ListTransactionTimelineAnswer {
  /** The account. */
  account_id: string;
  data: TimelineEntry[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListTransactionRevisionsAnswer {
  /** The account. */
  account_id: string;
  data: TransactionRevision[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListBalancesAnswer {
  /** The account. */
  account_id: string;
  data: (Balance | BalanceAt)[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListBalanceSplitAnswer {
  /** The account. */
  account_id: string;
  data: (BalanceSplit | BalanceSplitAt)[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListBalanceHistoryAnswer {
  /** The account. */
  account_id: string;
  data: BalanceChange[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListSnapshotsAnswer {
  /** The account. */
  account_id: string;
  data: Snapshot[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface GetTickAnswer {
  /** The account. */
  account_id: string;
  data: Tick;
}
export interface ListBalanceSeriesAnswer {
  /** The account. */
  account_id: string;
  data: BalancePoint[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListBalanceTrendsAnswer {
  /** The account. */
  account_id: string;
  data: BalanceTrend[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListPortfolioValueDaysAnswer {
  /** The account. */
  account_id: string;
  data: PortfolioValueDay[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListMovementValuesAnswer {
  /** The account. */
  account_id: string;
  data: MovementValue[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListBalanceValuesAnswer {
  /** The account. */
  account_id: string;
  data: (BalanceValue | BalanceValueAt)[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListPortfolioValueAnswer {
  /** The account. */
  account_id: string;
  data: (PortfolioValue | PortfolioValueAt)[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListPricesAnswer {
  /** The account. */
  account_id: string;
  data: Price[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListVaultsAnswer {
  /** The account. */
  account_id: string;
  data: (Vault | VaultAt)[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface GetVaultAnswer {
  /** The account. */
  account_id: string;
  data: VaultWithHistory;
}
export interface ListWhitelistAnswer {
  /** The account. */
  account_id: string;
  data: (WhitelistEntry | WhitelistEntryAt)[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface GetWhitelistEntryAnswer {
  /** The account. */
  account_id: string;
  data: WhitelistEntryWithHistory;
}
export interface ListDocumentChangesAnswer {
  /** The account. */
  account_id: string;
  data: DocumentChange[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListDaysAnswer {
  /** The account. */
  account_id: string;
  data: Day[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListFlowsAnswer {
  /** The account. */
  account_id: string;
  data: (Flow | FlowAt)[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListFeesAnswer {
  /** The account. */
  account_id: string;
  data: (Fee | FeeAt)[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListFeeTotalsAnswer {
  /** The account. */
  account_id: string;
  data: FeeTotal[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListReconciliationAnswer {
  /** The account. */
  account_id: string;
  data: ReconciledDay[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListReconciledSpanAnswer {
  /** The account. */
  account_id: string;
  data: ExplainedChange[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListPostingsAnswer {
  /** The account. */
  account_id: string;
  data: Posting[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListReconciledPostingsAnswer {
  /** The account. */
  account_id: string;
  data: ReconciliationPosting[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListUncertainPostingsAnswer {
  /** The account. */
  account_id: string;
  data: UncertainPosting[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListLateCorrectionsAnswer {
  /** The account. */
  account_id: string;
  data: LateCorrection[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListDestinationsAnswer {
  /** The account. */
  account_id: string;
  data: Destination[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListDestinationDaysAnswer {
  /** The account. */
  account_id: string;
  data: DestinationDay[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListDestinationUsesAnswer {
  /** The account. */
  account_id: string;
  data: DestinationUse[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListDestinationUseTotalsAnswer {
  /** The account. */
  account_id: string;
  data: DestinationUseTotal[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface FollowChangesAnswer {
  account_id: string;
  data: Change[];
  /** The position after these changes. */
  next_after: number;
  /** The history that the position belongs to; null before the first change. It changes without a loss too, for instance when the database restarts: store it with each position. */
  history: string | null;
  /** There are more: request them at once. */
  has_more: boolean;
  /** The last change of the account: the position after which only new ones follow. */
  last_change_id: number;
}
export interface ListAccountsAnswer {
  data: Account[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListFreshnessAnswer {
  /** The account. */
  account_id: string;
  data: Freshness[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface GetHealthAnswer {
  /** The account. */
  account_id: string;
  data: Health;
}
export interface ListRunsAnswer {
  /** The account. */
  account_id: string;
  data: Run[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListQuarantineAnswer {
  /** The account. */
  account_id: string;
  data: QuarantinedRecord[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListAnomaliesAnswer {
  /** The account. */
  account_id: string;
  data: Anomaly[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListFactsAnswer {
  /** The account. */
  account_id: string;
  data: Fact[];
  /** The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`. */
  next_cursor: string | null;
}
export interface ListTransactionsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only the transaction with this identifier. It must be text of at most 500 characters without U+0000. */
  transaction_id?: string | undefined;
  /** Only this status; one that is not documented is kept as the service sent it. It must be text of at most 500 characters without U+0000. */
  status?: string | undefined;
  /** Only open, or only settled transactions. It must be true or false. */
  is_open?: boolean | undefined;
  /** Only this type, such as deposit, withdraw, rebalance, stake, unstake, claim or change pool. It must be text of at most 500 characters without U+0000. */
  transaction_type?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty where the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** Only this type of source: vault, external, whitelist or network. It must be text of at most 500 characters without U+0000. */
  source_type?: string | undefined;
  /** Only this source. It must be text of at most 500 characters without U+0000. */
  source_id?: string | undefined;
  /** Only this address of the source, as the service writes it. It must be text of at most 500 characters without U+0000. */
  source_address?: string | undefined;
  /** Only this type of destination: vault, whitelist, network, stake pool, validator. It must be text of at most 500 characters without U+0000. */
  destination_type?: string | undefined;
  /** Only this destination. It must be text of at most 500 characters without U+0000. */
  destination_id?: string | undefined;
  /** Only this address of the destination, as the service writes it. It must be text of at most 500 characters without U+0000. */
  destination_address?: string | undefined;
  /** Only amounts of at least this. It must be a decimal number such as 0.05, without exponent, with at most 60 digits on either side of the point. */
  amount_from?: string | undefined;
  /** Only amounts of at most this. It must be a decimal number such as 0.05, without exponent, with at most 60 digits on either side of the point. */
  amount_to?: string | undefined;
  /** Only what was first seen at this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  first_seen_from?: string | Date | undefined;
  /** Only what was first seen before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  first_seen_to?: string | Date | undefined;
  /** Only transactions last changed at this moment or later; not with at. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  changed_from?: string | Date | undefined;
  /** Only transactions last changed before this moment; not with at. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  changed_to?: string | Date | undefined;
  /** Only transactions settled at this moment or later: when their present settled status was first seen, as flows and fees count it; not with at. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  settled_from?: string | Date | undefined;
  /** Only transactions settled before this moment; not with at. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  settled_to?: string | Date | undefined;
  /** Only what the service no longer lists, or only what it lists. Default: both. It must be true or false. */
  missing?: boolean | undefined;
  /** Only transactions from or to this vault, by its identifier. It must be text of at most 500 characters without U+0000. */
  vault?: string | undefined;
  /** Only transactions with every word of this text: in their identifier, hash, addresses, memo or note, or as the identifier or in the name of their vault or destination, as known now. Case does not matter. A word of six or more characters also finds what begins with it; a shortened one such as 0xf72a…71e0, with six or more characters before the gap, what begins and ends with its parts; a number this exact amount; the URL of an explorer what its last part finds. More than 1,000 matches are refused. It must be text of at most 500 characters without U+0000, and not only spaces. */
  search?: string | undefined;
  /** As it was known at this moment. Default: as it is known now. A calendar day of the account, such as 2026-11-20, means its close: the data known when it ended; for balances the last observation answered on that day, at the last prices before its end. Today is what there is until now. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z, or a calendar day such as 2026-11-20. */
  at?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -first_seen_at. It must be one of first_seen_at, -first_seen_at, changed_at, -changed_at, transaction_id, -transaction_id. */
  sort?:
    | 'first_seen_at'
    | '-first_seen_at'
    | 'changed_at'
    | '-changed_at'
    | 'transaction_id'
    | '-transaction_id'
    | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface GetTransactionQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Identifier of the transaction. It must be text of at most 500 characters without U+0000. */
  transaction_id: string;
}
export interface GetUsualTimesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Identifier of the transaction. It must be text of at most 500 characters without U+0000. */
  transaction_id: string;
}
export interface ListTransactionTimelineQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Identifier of the transaction. It must be text of at most 500 characters without U+0000. */
  transaction_id: string;
  /** The order; - reverses it. Ties are ordered by identifier. Default sequence. It must be one of sequence, -sequence. */
  sort?: 'sequence' | '-sequence' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListTransactionRevisionsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Identifier of the transaction. It must be text of at most 500 characters without U+0000. */
  transaction_id: string;
  /** The order; - reverses it. Ties are ordered by identifier. Default revision. It must be one of revision, -revision. */
  sort?: 'revision' | '-revision' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListBalancesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only the balances of all vaults, or of one type. Do not add them up: all includes the other two. It must be one of all, warm, cold. */
  vault_type?: 'all' | 'warm' | 'cold' | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty where the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** As it was known at this moment. Default: as it is known now. A calendar day of the account, such as 2026-11-20, means its close: the data known when it ended; for balances the last observation answered on that day, at the last prices before its end. Today is what there is until now. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z, or a calendar day such as 2026-11-20. */
  at?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default asset_id. It must be one of asset_id, -asset_id. */
  sort?: 'asset_id' | '-asset_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListBalanceSplitQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty where the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** The currency for values. Default: none. It must be text of at most 500 characters without U+0000. */
  currency?: string | undefined;
  /** As it was known at this moment. Default: as it is known now. A calendar day of the account, such as 2026-11-20, means its close: the data known when it ended; for balances the last observation answered on that day, at the last prices before its end. Today is what there is until now. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z, or a calendar day such as 2026-11-20. */
  at?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default asset_id. It must be one of asset_id, -asset_id, total_value, -total_value. */
  sort?: 'asset_id' | '-asset_id' | 'total_value' | '-total_value' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListBalanceHistoryQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only the balances of all vaults, or of one type. Do not add them up: all includes the other two. It must be one of all, warm, cold. */
  vault_type?: 'all' | 'warm' | 'cold' | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty where the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** Only changes first observed at this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  changed_from?: string | Date | undefined;
  /** Only changes first observed before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  changed_to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -changed_at. It must be one of changed_at, -changed_at. */
  sort?: 'changed_at' | '-changed_at' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListSnapshotsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only the balances of all vaults, or of one type. Do not add them up: all includes the other two. It must be one of all, warm, cold. */
  vault_type?: 'all' | 'warm' | 'cold' | undefined;
  /** Only observations of this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  snapshot_from?: string | Date | undefined;
  /** Only observations before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  snapshot_to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -snapshot_at. It must be one of snapshot_at, -snapshot_at. */
  sort?: 'snapshot_at' | '-snapshot_at' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface GetTickQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** When the tick began: its `snapshot_at`. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  snapshot_at: string | Date;
}
export interface ListBalanceSeriesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Identifier of the asset. It must be text of at most 500 characters without U+0000. */
  asset_id: string;
  /** Only this network; empty where the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** Only the balances of all vaults, or of one type. Do not add them up: all includes the other two. It must be one of all, warm, cold. */
  vault_type?: 'all' | 'warm' | 'cold' | undefined;
  /** Start of the span. Default: 30 days before its end. Anything before the initial sync is left out. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  from?: string | Date | undefined;
  /** End of the span. Default, and latest: now. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default starts_at. It must be one of starts_at, -starts_at. */
  sort?: 'starts_at' | '-starts_at' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListBalanceTrendsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only the balances of all vaults, or of one type. Do not add them up: all includes the other two. It must be one of all, warm, cold. */
  vault_type?: 'all' | 'warm' | 'cold' | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty where the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default asset_id. It must be one of asset_id, -asset_id. */
  sort?: 'asset_id' | '-asset_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListPortfolioValueDaysQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** Only the balances of all vaults, or of one type. Do not add them up: all includes the other two. It must be one of all, warm, cold. */
  vault_type?: 'all' | 'warm' | 'cold' | undefined;
  /** Only values in this currency. It must be text of at most 500 characters without U+0000. */
  currency?: string | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -day. It must be one of day, -day. */
  sort?: 'day' | '-day' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListMovementValuesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only values in this currency. It must be text of at most 500 characters without U+0000. */
  currency?: string | undefined;
  /** Only incoming, or only outgoing movements. It must be one of in, out. */
  direction?: 'in' | 'out' | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty if the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** Only values of at least this. Set `currency` too. It must be a decimal number such as 0.05, without exponent, with at most 60 digits on either side of the point. */
  value_from?: string | undefined;
  /** Only values of at most this. Set `currency` too. It must be a decimal number such as 0.05, without exponent, with at most 60 digits on either side of the point. */
  value_to?: string | undefined;
  /** Only movements first seen completed at this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  settled_from?: string | Date | undefined;
  /** Only movements first seen completed before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  settled_to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -settled_at. It must be one of value, -value, settled_at, -settled_at. */
  sort?: 'value' | '-value' | 'settled_at' | '-settled_at' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListBalanceValuesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only the balances of all vaults, or of one type. Do not add them up: all includes the other two. It must be one of all, warm, cold. */
  vault_type?: 'all' | 'warm' | 'cold' | undefined;
  /** Only this currency. It must be text of at most 500 characters without U+0000. */
  currency?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** As it was known at this moment. Default: as it is known now. A calendar day of the account, such as 2026-11-20, means its close: the data known when it ended; for balances the last observation answered on that day, at the last prices before its end. Today is what there is until now. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z, or a calendar day such as 2026-11-20. */
  at?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default asset_id. It must be one of asset_id, -asset_id. */
  sort?: 'asset_id' | '-asset_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListPortfolioValueQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only the balances of all vaults, or of one type. Do not add them up: all includes the other two. It must be one of all, warm, cold. */
  vault_type?: 'all' | 'warm' | 'cold' | undefined;
  /** Only this currency. It must be text of at most 500 characters without U+0000. */
  currency?: string | undefined;
  /** As it was known at this moment. Default: as it is known now. A calendar day of the account, such as 2026-11-20, means its close: the data known when it ended; for balances the last observation answered on that day, at the last prices before its end. Today is what there is until now. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z, or a calendar day such as 2026-11-20. */
  at?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default vault_type. It must be one of vault_type, -vault_type. */
  sort?: 'vault_type' | '-vault_type' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListPricesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this currency. It must be text of at most 500 characters without U+0000. */
  currency?: string | undefined;
  /** Only prices of this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  as_of_from?: string | Date | undefined;
  /** Only prices before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  as_of_to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default asset_id. It must be one of asset_id, -asset_id. */
  sort?: 'asset_id' | '-asset_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListVaultsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only the one with this identifier. It must be text of at most 500 characters without U+0000. */
  vault_id?: string | undefined;
  /** Only vaults of this type. It must be one of warm, cold. */
  vault_type?: 'warm' | 'cold' | undefined;
  /** Only what the service no longer lists, or only what it lists; not with at. It must be true or false. */
  missing?: boolean | undefined;
  /** As it was known at this moment. Default: as it is known now. A calendar day of the account, such as 2026-11-20, means its close: the data known when it ended; for balances the last observation answered on that day, at the last prices before its end. Today is what there is until now. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z, or a calendar day such as 2026-11-20. */
  at?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default vault_id. It must be one of vault_id, -vault_id. */
  sort?: 'vault_id' | '-vault_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface GetVaultQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Identifier of the vault. It must be text of at most 500 characters without U+0000. */
  vault_id: string;
}
export interface ListWhitelistQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only the one with this identifier. It must be text of at most 500 characters without U+0000. */
  entry_id?: string | undefined;
  /** Only this address, as the service writes it. It must be text of at most 500 characters without U+0000. */
  address?: string | undefined;
  /** Only entries for this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only entries for this network. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** Only what the service no longer lists, or only what it lists; not with at. It must be true or false. */
  missing?: boolean | undefined;
  /** As it was known at this moment. Default: as it is known now. A calendar day of the account, such as 2026-11-20, means its close: the data known when it ended; for balances the last observation answered on that day, at the last prices before its end. Today is what there is until now. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z, or a calendar day such as 2026-11-20. */
  at?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default entry_id. It must be one of entry_id, -entry_id. */
  sort?: 'entry_id' | '-entry_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface GetWhitelistEntryQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Identifier of the whitelist entry. It must be text of at most 500 characters without U+0000. */
  entry_id: string;
}
export interface ListDocumentChangesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only changes of vaults, or of whitelist entries. It must be one of vault, whitelist_entry. */
  kind?: 'vault' | 'whitelist_entry' | undefined;
  /** Only changes of the vault or entry with this identifier. It must be text of at most 500 characters without U+0000. */
  document_id?: string | undefined;
  /** Only changes of this kind. It must be one of added, changed, removed, restored. */
  change?: 'added' | 'changed' | 'removed' | 'restored' | undefined;
  /** Only what the initial sync found, or only what came after it. It must be true or false. */
  is_older_than_mirror?: boolean | undefined;
  /** Only changes first observed at this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  observed_from?: string | Date | undefined;
  /** Only changes first observed before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  observed_to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -observed_at. It must be one of observed_at, -observed_at. */
  sort?: 'observed_at' | '-observed_at' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListDaysQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** Only the day that contains this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  holds?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -day. It must be one of day, -day. */
  sort?: 'day' | '-day' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListFlowsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty if the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** As it was known at this moment. Default: as it is known now. A calendar day of the account, such as 2026-11-20, means its close: the data known when it ended; for balances the last observation answered on that day, at the last prices before its end. Today is what there is until now. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z, or a calendar day such as 2026-11-20. */
  at?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -day. It must be one of day, -day. */
  sort?: 'day' | '-day' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListFeesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty if the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** Only fees paid in this asset. It must be text of at most 500 characters without U+0000. */
  fee_asset_id?: string | undefined;
  /** Only fees of transactions of this type. It must be text of at most 500 characters without U+0000. */
  transaction_type?: string | undefined;
  /** As it was known at this moment. Default: as it is known now. A calendar day of the account, such as 2026-11-20, means its close: the data known when it ended; for balances the last observation answered on that day, at the last prices before its end. Today is what there is until now. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z, or a calendar day such as 2026-11-20. */
  at?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -day. It must be one of day, -day. */
  sort?: 'day' | '-day' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListFeeTotalsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default fee_asset_id. It must be one of fee_asset_id, -fee_asset_id. */
  sort?: 'fee_asset_id' | '-fee_asset_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListReconciliationQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only days that are explained, not explained, or undecided. It must be true, false or unknown. */
  is_explained?: boolean | 'unknown' | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -day. It must be one of day, -day. */
  sort?: 'day' | '-day' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListReconciledSpanQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** The opening is the last observation that began by this moment (snapshot_at), before the closing. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  from?: string | Date | undefined;
  /** The closing is the last observation that began by this moment (snapshot_at). It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  to?: string | Date | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default asset_id. It must be one of asset_id, -asset_id. */
  sort?: 'asset_id' | '-asset_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListPostingsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only those of this transaction. It must be text of at most 500 characters without U+0000. */
  transaction_id?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only what was first seen at this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  observed_from?: string | Date | undefined;
  /** Only what was first seen before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  observed_to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -day. It must be one of day, -day. */
  sort?: 'day' | '-day' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListReconciledPostingsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only changes of a status, or only corrections. It must be one of status, correction. */
  kind?: 'status' | 'correction' | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -day. It must be one of day, -day. */
  sort?: 'day' | '-day' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListUncertainPostingsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only changes of a status, or only corrections. It must be one of status, correction. */
  kind?: 'status' | 'correction' | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -day. It must be one of day, -day. */
  sort?: 'day' | '-day' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListLateCorrectionsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this figure. It must be text of at most 500 characters without U+0000. */
  measure?: string | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -day. It must be one of day, -day. */
  sort?: 'day' | '-day' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListDestinationsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this destination. It must be text of at most 500 characters without U+0000. */
  destination_id?: string | undefined;
  /** Only this address, as the service writes it. It must be text of at most 500 characters without U+0000. */
  destination_address?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty if the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** Only destinations that are whitelisted now, or that are not. It must be true or false. */
  whitelisted_now?: boolean | undefined;
  /** Only those last used at this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  last_used_from?: string | Date | undefined;
  /** Only those last used before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  last_used_to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -last_used_at. It must be one of last_used_at, -last_used_at, first_used_at, -first_used_at. */
  sort?: 'last_used_at' | '-last_used_at' | 'first_used_at' | '-first_used_at' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListDestinationDaysQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this day and later ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_from?: string | undefined;
  /** Only this day and earlier ones, in the account's time zone. It must be a calendar day such as 2026-11-20, from 1970 on. */
  day_to?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this destination. It must be text of at most 500 characters without U+0000. */
  destination_id?: string | undefined;
  /** Only this address, as the service writes it. It must be text of at most 500 characters without U+0000. */
  destination_address?: string | undefined;
  /** Only this network; empty if the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -day. It must be one of day, -day. */
  sort?: 'day' | '-day' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListDestinationUsesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this destination. It must be text of at most 500 characters without U+0000. */
  destination_id?: string | undefined;
  /** Only this address, as the service writes it. It must be text of at most 500 characters without U+0000. */
  destination_address?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty if the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** Only the withdrawal with this identifier. It must be text of at most 500 characters without U+0000. */
  transaction_id?: string | undefined;
  /** Only withdrawals with this status. It must be text of at most 500 characters without U+0000. */
  status?: string | undefined;
  /** Only withdrawals to whitelisted destinations, to destinations known not to be whitelisted, or those for which it is unknown. It must be true, false or unknown. */
  is_whitelisted?: boolean | 'unknown' | undefined;
  /** Only withdrawals first seen at this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  first_seen_from?: string | Date | undefined;
  /** Only withdrawals first seen before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  first_seen_to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -first_seen_at. It must be one of first_seen_at, -first_seen_at. */
  sort?: 'first_seen_at' | '-first_seen_at' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListDestinationUseTotalsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this asset. It must be text of at most 500 characters without U+0000. */
  asset_id?: string | undefined;
  /** Only this network; empty if the service names none. It must be text of at most 500 characters without U+0000. */
  network_id?: string | undefined;
  /** Only withdrawals first seen at this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  first_seen_from?: string | Date | undefined;
  /** Only withdrawals first seen before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  first_seen_to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default asset_id. It must be one of asset_id, -asset_id. */
  sort?: 'asset_id' | '-asset_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface FollowChangesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** The position: `next_after` of the previous response. Default 0: from the beginning. It must be a whole number from 0 to 9007199254740991. */
  after?: number | undefined;
  /** `history` of the response that gave the position. Required unless `after` is 0. It must be text of at most 500 characters without U+0000. */
  history?: string | undefined;
  /** Only changes of one kind. It must be one of transaction_status, transaction_revision, vault, whitelist_entry, balance_snapshot. */
  kind?:
    | 'transaction_status'
    | 'transaction_revision'
    | 'vault'
    | 'whitelist_entry'
    | 'balance_snapshot'
    | undefined;
  /** Seconds to wait for a change if there are none. It must be a whole number from 0 to 30. */
  wait?: number | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
}
export interface ListAccountsQuery {
  /** Only this account. It must be text of at most 500 characters without U+0000. */
  account_id?: string | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default account_id. It must be one of account_id, -account_id. */
  sort?: 'account_id' | '-account_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListFreshnessQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this resource. It must be one of transactions, balances, vaults, whitelist. */
  resource?: 'transactions' | 'balances' | 'vaults' | 'whitelist' | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default resource. It must be one of resource, -resource. */
  sort?: 'resource' | '-resource' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface GetHealthQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
}
export interface ListRunsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only runs of this job. It must be text of at most 500 characters without U+0000. */
  job?: string | undefined;
  /** Only runs with this status. It must be one of succeeded, failed, running, abandoned. */
  status?: 'succeeded' | 'failed' | 'running' | 'abandoned' | undefined;
  /** Only sweeps that were verified, or that were not. It must be true or false. */
  verified?: boolean | undefined;
  /** Only runs that began at this moment or later. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  started_from?: string | Date | undefined;
  /** Only runs that began before this moment. It must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z. */
  started_to?: string | Date | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -run_id. It must be one of run_id, -run_id. */
  sort?: 'run_id' | '-run_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListQuarantineQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this resource. It must be one of transactions, balances, vaults, whitelist. */
  resource?: 'transactions' | 'balances' | 'vaults' | 'whitelist' | undefined;
  /** Only resolved, or only open ones. Default: both. It must be true or false. */
  resolved?: boolean | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -quarantine_id. It must be one of quarantine_id, -quarantine_id. */
  sort?: 'quarantine_id' | '-quarantine_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListAnomaliesQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** Only this kind. It must be text of at most 500 characters without U+0000. */
  kind?: string | undefined;
  /** Only this resource. It must be one of transactions, balances, vaults, whitelist. */
  resource?: 'transactions' | 'balances' | 'vaults' | 'whitelist' | undefined;
  /** Only resolved, or only open ones. Default: both. It must be true or false. */
  resolved?: boolean | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default -anomaly_id. It must be one of anomaly_id, -anomaly_id. */
  sort?: 'anomaly_id' | '-anomaly_id' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}
export interface ListFactsQuery {
  /** The account. Default: the only one that the reader can see; with several, that of the process. It must be text of at most 500 characters without U+0000. */
  account?: string | undefined;
  /** The order; - reverses it. Ties are ordered by identifier. Default fact. It must be one of fact, -fact. */
  sort?: 'fact' | '-fact' | undefined;
  /** Maximum rows in a page of JSON. Default 100. It must be a whole number from 1 to 500. */
  limit?: number | undefined;
  /** `next_cursor` of the previous page, with the same filters and sort. It must be the unchanged next_cursor of a response. */
  cursor?: string | undefined;
}

export type ListTransactionsCsvQuery = Omit<ListTransactionsQuery, 'limit' | 'cursor'>;

export type ListTransactionTimelineCsvQuery = Omit<ListTransactionTimelineQuery, 'limit' | 'cursor'>;

export type ListTransactionRevisionsCsvQuery = Omit<ListTransactionRevisionsQuery, 'limit' | 'cursor'>;

export type ListBalancesCsvQuery = Omit<ListBalancesQuery, 'limit' | 'cursor'>;

export type ListBalanceSplitCsvQuery = Omit<ListBalanceSplitQuery, 'limit' | 'cursor'>;

export type ListBalanceHistoryCsvQuery = Omit<ListBalanceHistoryQuery, 'limit' | 'cursor'>;

export type ListSnapshotsCsvQuery = Omit<ListSnapshotsQuery, 'limit' | 'cursor'>;

export type ListBalanceSeriesCsvQuery = Omit<ListBalanceSeriesQuery, 'limit' | 'cursor'>;

export type ListBalanceTrendsCsvQuery = Omit<ListBalanceTrendsQuery, 'limit' | 'cursor'>;

export type ListPortfolioValueDaysCsvQuery = Omit<ListPortfolioValueDaysQuery, 'limit' | 'cursor'>;

export type ListMovementValuesCsvQuery = Omit<ListMovementValuesQuery, 'limit' | 'cursor'>;

export type ListBalanceValuesCsvQuery = Omit<ListBalanceValuesQuery, 'limit' | 'cursor'>;

export type ListPortfolioValueCsvQuery = Omit<ListPortfolioValueQuery, 'limit' | 'cursor'>;

export type ListPricesCsvQuery = Omit<ListPricesQuery, 'limit' | 'cursor'>;

export type ListVaultsCsvQuery = Omit<ListVaultsQuery, 'limit' | 'cursor'>;

export type ListWhitelistCsvQuery = Omit<ListWhitelistQuery, 'limit' | 'cursor'>;

export type ListDocumentChangesCsvQuery = Omit<ListDocumentChangesQuery, 'limit' | 'cursor'>;

export type ListDaysCsvQuery = Omit<ListDaysQuery, 'limit' | 'cursor'>;

export type ListFlowsCsvQuery = Omit<ListFlowsQuery, 'limit' | 'cursor'>;

export type ListFeesCsvQuery = Omit<ListFeesQuery, 'limit' | 'cursor'>;

export type ListFeeTotalsCsvQuery = Omit<ListFeeTotalsQuery, 'limit' | 'cursor'>;

export type ListReconciliationCsvQuery = Omit<ListReconciliationQuery, 'limit' | 'cursor'>;

export type ListReconciledSpanCsvQuery = Omit<ListReconciledSpanQuery, 'limit' | 'cursor'>;

export type ListPostingsCsvQuery = Omit<ListPostingsQuery, 'limit' | 'cursor'>;

export type ListReconciledPostingsCsvQuery = Omit<ListReconciledPostingsQuery, 'limit' | 'cursor'>;

export type ListUncertainPostingsCsvQuery = Omit<ListUncertainPostingsQuery, 'limit' | 'cursor'>;

export type ListLateCorrectionsCsvQuery = Omit<ListLateCorrectionsQuery, 'limit' | 'cursor'>;

export type ListDestinationsCsvQuery = Omit<ListDestinationsQuery, 'limit' | 'cursor'>;

export type ListDestinationDaysCsvQuery = Omit<ListDestinationDaysQuery, 'limit' | 'cursor'>;

export type ListDestinationUsesCsvQuery = Omit<ListDestinationUsesQuery, 'limit' | 'cursor'>;

export type ListDestinationUseTotalsCsvQuery = Omit<ListDestinationUseTotalsQuery, 'limit' | 'cursor'>;

export type ListAccountsCsvQuery = Omit<ListAccountsQuery, 'limit' | 'cursor'>;

export type ListFreshnessCsvQuery = Omit<ListFreshnessQuery, 'limit' | 'cursor'>;

export type ListRunsCsvQuery = Omit<ListRunsQuery, 'limit' | 'cursor'>;

export type ListQuarantineCsvQuery = Omit<ListQuarantineQuery, 'limit' | 'cursor'>;

export type ListAnomaliesCsvQuery = Omit<ListAnomaliesQuery, 'limit' | 'cursor'>;

export type ListFactsCsvQuery = Omit<ListFactsQuery, 'limit' | 'cursor'>;

/** What each operation takes and what it answers as JSON. */
export interface Operations {
  listTransactions: { query: ListTransactionsQuery; answer: ListTransactionsAnswer };
  getTransaction: { query: GetTransactionQuery; answer: GetTransactionAnswer };
  getUsualTimes: { query: GetUsualTimesQuery; answer: GetUsualTimesAnswer };
  listTransactionTimeline: { query: ListTransactionTimelineQuery; answer: ListTransactionTimelineAnswer };
  listTransactionRevisions: { query: ListTransactionRevisionsQuery; answer: ListTransactionRevisionsAnswer };
  listBalances: { query: ListBalancesQuery; answer: ListBalancesAnswer };
  listBalanceSplit: { query: ListBalanceSplitQuery; answer: ListBalanceSplitAnswer };
  listBalanceHistory: { query: ListBalanceHistoryQuery; answer: ListBalanceHistoryAnswer };
  listSnapshots: { query: ListSnapshotsQuery; answer: ListSnapshotsAnswer };
  getTick: { query: GetTickQuery; answer: GetTickAnswer };
  listBalanceSeries: { query: ListBalanceSeriesQuery; answer: ListBalanceSeriesAnswer };
  listBalanceTrends: { query: ListBalanceTrendsQuery; answer: ListBalanceTrendsAnswer };
  listPortfolioValueDays: { query: ListPortfolioValueDaysQuery; answer: ListPortfolioValueDaysAnswer };
  listMovementValues: { query: ListMovementValuesQuery; answer: ListMovementValuesAnswer };
  listBalanceValues: { query: ListBalanceValuesQuery; answer: ListBalanceValuesAnswer };
  listPortfolioValue: { query: ListPortfolioValueQuery; answer: ListPortfolioValueAnswer };
  listPrices: { query: ListPricesQuery; answer: ListPricesAnswer };
  listVaults: { query: ListVaultsQuery; answer: ListVaultsAnswer };
  getVault: { query: GetVaultQuery; answer: GetVaultAnswer };
  listWhitelist: { query: ListWhitelistQuery; answer: ListWhitelistAnswer };
  getWhitelistEntry: { query: GetWhitelistEntryQuery; answer: GetWhitelistEntryAnswer };
  listDocumentChanges: { query: ListDocumentChangesQuery; answer: ListDocumentChangesAnswer };
  listDays: { query: ListDaysQuery; answer: ListDaysAnswer };
  listFlows: { query: ListFlowsQuery; answer: ListFlowsAnswer };
  listFees: { query: ListFeesQuery; answer: ListFeesAnswer };
  listFeeTotals: { query: ListFeeTotalsQuery; answer: ListFeeTotalsAnswer };
  listReconciliation: { query: ListReconciliationQuery; answer: ListReconciliationAnswer };
  listReconciledSpan: { query: ListReconciledSpanQuery; answer: ListReconciledSpanAnswer };
  listPostings: { query: ListPostingsQuery; answer: ListPostingsAnswer };
  listReconciledPostings: { query: ListReconciledPostingsQuery; answer: ListReconciledPostingsAnswer };
  listUncertainPostings: { query: ListUncertainPostingsQuery; answer: ListUncertainPostingsAnswer };
  listLateCorrections: { query: ListLateCorrectionsQuery; answer: ListLateCorrectionsAnswer };
  listDestinations: { query: ListDestinationsQuery; answer: ListDestinationsAnswer };
  listDestinationDays: { query: ListDestinationDaysQuery; answer: ListDestinationDaysAnswer };
  listDestinationUses: { query: ListDestinationUsesQuery; answer: ListDestinationUsesAnswer };
  listDestinationUseTotals: { query: ListDestinationUseTotalsQuery; answer: ListDestinationUseTotalsAnswer };
  followChanges: { query: FollowChangesQuery; answer: FollowChangesAnswer };
  listAccounts: { query: ListAccountsQuery; answer: ListAccountsAnswer };
  listFreshness: { query: ListFreshnessQuery; answer: ListFreshnessAnswer };
  getHealth: { query: GetHealthQuery; answer: GetHealthAnswer };
  listRuns: { query: ListRunsQuery; answer: ListRunsAnswer };
  listQuarantine: { query: ListQuarantineQuery; answer: ListQuarantineAnswer };
  listAnomalies: { query: ListAnomaliesQuery; answer: ListAnomaliesAnswer };
  listFacts: { query: ListFactsQuery; answer: ListFactsAnswer };
}
