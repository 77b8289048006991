// Meaning of columns, by name. Generated from the comments in sql/ by npm run generate.

export const sharedColumnTexts = `
account_id: Name of the mirrored account, as configured in CUSTODY_ACCOUNT.
address: Wallet address, if recognised.
after: Those members after the change, as JSON text, without the ones that are absent now.
all_total: Total balance of all vaults, as the service sends it; null if unknown.
amount: Amount in units of the asset, without fees: exact, without padding zeros.
anomaly_id: Number of the anomaly.
answered_at: When the last answer of the observation had arrived.
as_known_now: The figure now; null if an amount is unknown.
as_of: When the price takes effect, until the next one of the same asset and currency.
as_reported: The figure at the end of the day; null if an amount was unknown then.
asked_at: When the first request of the observation began. Each figure is from some moment between asked_at and answered_at.
asset_count: Number of balances in the snapshot.
asset_id: Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.
asset_name: Name of the asset.
available_after: Available part after.
available_balance: Available part.
available_before: Available part before.
base_url: Base address of the custody service that the account is read from. The same name with another address is refused.
before: Those members before the change, as JSON text, without the ones that were absent.
blockexplorer_link: Link to the transaction on a block explorer.
change: first observed (no earlier observation shows whether it existed), appeared, changed or disappeared (no longer listed by the service).
changed_after: Lower bound of the change: when the first request of the observation unchanged_until began. Null without an earlier observation.
changed_at: First observation (its snapshot_at) that showed the change, which happened between changed_after and changed_before.
changed_before: Upper bound of the change: when the last answer of the observation changed_at arrived.
changed_count: Number of balances that began, changed or ended with this snapshot.
changed_fields: Names of the members that differ from the previous state, in order, such as: address, name. Empty at the first sighting, and on removal.
claimable_after: Claimable part after.
claimable_balance: Part claimable from staking.
claimable_before: Claimable part before.
closing_balance: Total balance of all vaults in the last observation of the day; 0 if the asset was not listed, null if a record could not be read.
closing_observed_at: When the closing balance was observed (its snapshot_at): the last observation answered on the day.
code: replica-behind, nothing-mirrored, stopped, history-altered, sealing-stopped, too-many-missing, key-refused, failing, starting, never-read, stale, never-verified, verified-long-ago, clock-behind, quarantine, anomaly or retired. docs/operations.md gives the cause and the remedy of each.
cold_total: Total balance of the cold vaults; 0 if they do not list the asset; null if unknown.
complete_since: From when the whole list of transactions is mirrored; null until the first sweep has ended, and for the other resources.
completed_amount: Sum of the completed amounts, in units of the asset, exact. Null if the service sent no amount for one of them.
completed_uses: Completed uses.
content_hash: Digest of the record without its timestamp; it changes when the record does.
corrected_after: Time from the end of the day to corrected_at.
corrected_at: When the contribution of one of these transactions was last seen to change; for the value, when one of its prices last changed.
counterparty_address: Wallet address of the counterparty.
counterparty_id: Identifier of the counterparty; null if the service sends none, as for external sources.
counterparty_name: Name of the counterparty: from the transaction, else the current name of the vault or whitelist entry.
counterparty_type: Type of the counterparty: vault, external, whitelist, network, stake pool or validator.
currency: Currency of the prices in custody.asset_prices.
day: Calendar day in the account's time zone (SCHEDULE_TIMEZONE).
deposits: Number of completed deposits.
destination_address: Wallet address of the destination.
destination_id: Identifier of the destination; of the whitelist entry if destination_type is whitelist.
destination_memo: Memo, tag or note for addresses that use one; may be empty.
destination_name: Name of the destination, from the last withdrawal to it.
destination_type: Type of the destination: vault, whitelist, network, stake pool or validator.
details: What was seen.
difference: as_known_now - as_reported; null if either is null.
direction: in (deposit) or out (withdraw).
document: The whole record as received; the service documents none of its fields.
document_id: Identifier of the vault or the whitelist entry.
ends_at: First moment of the next day. For the day as it was closed, pass ends_at - interval '1 microsecond' to functions such as flows_daily_at.
entered_after: A moment at which the transaction was certainly not in this status yet; null if none is known.
entered_at: When the status was first seen.
entered_bound: Meaning of entered_at: between two readings (the change happened between entered_after and entered_at), first sighting (it appeared in this status), before the mirror began (the true time is unknown).
entry_id: Identifier of the entry.
error_code: Code of the failure.
error_message: Message of the failure.
evidence: The evidence for it.
expected_balance: opening_balance + inflow - outflow - fees + staking_rewards; null if one of them is null.
fact: Name of the fact.
failed_runs_24h: Of these, failed.
fee: Fee taken from the total; 0 if the service sent none.
fee_asset_id: Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction. Sum fees by this column.
fee_asset_is_assumed: True if custody.fee_rules had no rule for the fee when the change was seen, so fee_asset_id is an assumption. Null for a correction that changes no fee.
fees: Fees taken from the balance. Null on the first day.
finished_at: When it ended; null while it runs.
first_observed_at: When it was first seen.
first_seen_after: A moment at which it certainly did not exist yet: it was created between this and first_seen_at. Null if unknown, as for records older than the mirror.
first_seen_at: When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep.
first_transaction_id: The first withdrawal to it; the lowest identifier if several were first seen at the same moment.
first_used_at: When the mirror first saw the first withdrawal to it; for withdrawals older than the mirror, the time of the first sweep.
fix: Remedy.
from_status: Previous status; null at the first sighting. For a correction, the same as to_status.
health: The worst row of reporting.health_problems in short: nothing mirrored yet, stopped, failing, starting (a first reading is not finished), stale, never verified, verified too long ago, attention (records in quarantine, too many missing at once, or the database's clock behind the times of the mirror), healthy.
in_amount: Sum of their amounts; null if the service sent no amount for one of them.
inflow: What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown.
is_comparable: True if all transactions were mirrored before the opening observation. If false, transactions may be missing from the flows.
is_completed: Whether the status is completed.
is_current: True for the current state.
is_explained: True if unexplained_difference is 0 and there are no staking_losses. False if no transaction explains what left or came in, or if unexplained_difference is null but a loss is certain. Null if unknown, as on the first day or without a figure, or if undecided: a change may lie on either side of the observation, or transactions were not read since.
is_failing: Whether the last run of a job of this resource failed and none has succeeded since; false for a resource that is not mirrored. For transactions, also true if sweeps (reconcile) fail while increments succeed.
is_known: False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service.
is_listed: Whether the service listed the vault or entry in this state.
is_mirrored: Whether CUSTODY_RESOURCES includes the resource. If not, the row shows what was read before.
is_older_than_mirror: Whether it existed before the mirror, so that its beginning is unknown.
is_open: True while the status is not settled (completed, rejected, cancelled, failed); an undocumented status counts as open. Null for an open transaction that the service no longer shows: its outcome is unknown.
is_whitelisted: Whether the whitelist held the entry or the address at every moment at which the withdrawal can have been made, for this asset and network if the entry names them. Null if unknown: see whitelist_reason. Never count null as true.
job: transactions, balances, vaults, whitelist, reconcile (a sweep of all transactions) or maintenance.
kind: status: a first sighting or a change of status. correction: a change of amount, fee, type or asset.
known_after_at: The first moment after the withdrawal for which that is certain; null if there is none yet.
known_before_at: The last moment before the withdrawal for which that is certain; null if there is none.
known_until: Start of the last reading that still showed the state; earlier than observed_at if only one reading showed it.
lag_seconds: Lag in whole seconds.
last_failure_at: When a run last failed; failures older than 30 days are deleted.
last_failure_code: Code of that failure.
last_failure_message: Message of that failure.
last_known_at: For an unknown balance: the last earlier observation (its snapshot_at) that showed it, or showed that it did not exist; null if there is none. Null for a known balance.
last_observed_at: When it was last seen.
last_success_at: When a run last succeeded. A run that ended more than five minutes in the future does not count.
last_transaction_id: The last withdrawal to it; the highest identifier if several were first seen at the same moment.
last_used_at: When the mirror first saw the last withdrawal to it.
last_verified_at: When a run last ended as verified, having shown that it missed nothing. A run that ended more than five minutes in the future does not count.
last_verified_sweep_at: When a sweep of all transactions last ended as verified.
left_after: A moment at which the transaction was certainly still in this status; null if none is known.
left_at: When the next status was first seen; null for the current one.
left_bound: Meaning of left_at: between two readings, or still for the current status.
measure: Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed; portfolio_value for total_value of portfolio_value_daily.
mirrored_since: When the account was first mirrored.
missing: Of these, how many the service no longer shows.
missing_since: When the service stopped showing it; null while it shows it.
missing_uses: Withdrawals that the service no longer shows.
mode: full: reads a whole list; incremental: reads what is new.
name: Name of the vault, if recognised.
net_amount: in_amount - out_amount; null if either is null.
network_id: Identifier of the blockchain network; empty or null if the service names none.
network_name: Name of the blockchain network.
non_whitelisted_uses: Withdrawals whose destination was certainly not whitelisted: no reading of the whitelist around them shows the entry or the address for this asset and network. (An entry listed and removed between two readings stays unseen.) Null if the whitelist was never read. Uncertain ones count in unknown_whitelist_uses.
note: Note of the transaction; may be empty.
number: Number of the change within its kind: the sequence of a status, or the revision of a correction.
observed_after: A moment at which the change had certainly not happened yet. A correction has no bound of its own and takes that of the status before it. Null if unknown.
observed_at: When the balance was observed.
occurrences: How often it was seen.
oldest_price_as_of: When the oldest of the prices took effect; null for an empty sum.
open_anomalies: Open anomalies (sync.anomalies).
opening_balance: Total balance of all vaults in that observation; 0 if the asset was not listed, null if a record could not be read.
opening_observed_at: When the opening balance was observed (its snapshot_at): the last observation answered before the day; null on the first day.
out_amount: Sum of their amounts, without fees; null if the service sent no amount for one of them.
outflow: What left the account, without the fee. Null if the amount is unknown.
previous_status: Previous status; null at the first sighting.
price: Price of one unit of the asset, from custody.asset_prices.
price_as_of: When that price took effect.
problem: Description, without a full stop.
processing_after: Part being processed after.
processing_balance: Part being processed in a transaction.
processing_before: Part being processed before.
quarantine_id: Number of the entry.
quarantined: Unreadable records, repeated ones included.
quarantined_count: Number of unreadable records in the answer. They are in sync.quarantine instead.
quarantined_records: Records that could not be read (sync.quarantine).
rank: For sorting: the lower, the worse.
rate_limited: Answers that asked for a slower rate (ERR-03).
rate_limited_24h: Of these, refused by the rate limit of the service.
raw: The record as received.
reason: Why it could not be read.
records_changed: Records whose content had changed.
records_inserted: Records seen for the first time.
records_read: Records received. A transaction counts every time it is received, other records once.
requested_by: Who asked the daemon for it by sync, as role@host (user of the operating system). Null for runs started by a schedule or by sync itself.
requests: Requests to the custody service, including retries.
requests_24h: Requests to the service in these runs.
resolved_at: When the record became readable or was no longer listed; null until then. The row stays.
resource: transactions, balances, vaults or whitelist (null for a job that mirrors nothing).
resource_id: The record, value or balance it concerns; empty if it concerns the whole list.
retries: Requests retried after a fault.
revision: Number of the correction among the revisions of the transaction; null for a change of status.
run_id: The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist.
runs_24h: Runs in the last 24 hours, except those of resources that CUSTODY_RESOURCES now leaves out.
sequence: Number of the observed status within the transaction, from 1 (first sighting). Null for a correction.
settled_at: When the mirror first saw it completed. Those completed before the mirror began are left out.
severity: critical (replica-behind, nothing-mirrored, starting, stopped, history-altered, sealing-stopped, too-many-missing, and key-refused, failing or stale of the job transactions) or warning: the mirror is not healthy. note (anomaly, retired): worth knowing, but the mirror is healthy.
since: When it began; null if unknown. nothing-mirrored, starting and never-read: when the account was first seen. stopped: when its lease ended, or the last success if the process released the lease. replica-behind: the last transaction of the primary replayed here. key-refused and failing: the first failure since the last success. stale: the last success. never-verified: the end of the first sweep. verified-long-ago: the last verified sweep. clock-behind: when it was noticed, by the database's clock. history-altered: when a verification on schedule first found it. sealing-stopped: the first failure of sealing. retired: when it began. Others: when the oldest record was first observed.
snapshot_at: When the run of the observation began; the same for the three vault types of one tick. The figures are of a moment between asked_at and answered_at.
source: Source of the price, in your words.
source_address: Wallet address of the source.
source_id: Identifier of the source; empty for an external source.
source_name: Name of the source; empty for an external source.
source_timestamp: Timestamp of the answer, set by the service.
source_type: Type of the source: vault, external, whitelist or network.
staked_change: Change of staking_balance and claimable_balance together. Null if the amount is unknown.
staking_after: Staked part after.
staking_balance: Staked part.
staking_before: Staked part before.
staking_losses: Loss of staked and claimable balances that no transaction explains; never negative. A loss is not explained. Null if staking_rewards is null.
staking_rewards: Growth of staked and claimable balances that no transaction explains; never negative (for losses see staking_losses). Inferred: the service does not report it. Null if unknown: on the first day, if only one of the two observations shows a staked part, or if uncertain stakings leave it open.
started_at: When it began.
starts_at: First moment of the day. A day on which the clocks or the time zone change does not last 24 hours.
status: Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.
status_changes: Status changes of transactions observed.
status_changes_24h: Status changes observed in these runs.
status_since: When the mirror first saw the current status. The change itself happened between the previous reading and this moment.
subject: account, a job of sync.runs, a resource, or the kind of an anomaly.
time_zone: Time zone (IANA name) in which the days of reports begin: SCHEDULE_TIMEZONE of the process that last started. It takes effect when set; custody.former_time_zones keeps earlier ones.
timing_difference: Part of the difference due to timing: transactions that may lie on either side of the opening or closing observation can cause it, and between the nearest observations without uncertain transactions all such differences add up to 0. Null if the difference or staking_rewards is unknown.
to_status: Status after the change; for a correction, the last documented status before it: a status seen in the same answer is posted afterwards.
total_after: Total balance after.
total_balance: Total balance in units of the asset: exact, without padding zeros.
total_before: Total balance before.
total_change: total_after - total_before; null if change is first observed.
total_value: Total balance times price, exact: round it as the currency requires. Null if the balance is unknown; a sum over it is then unknown too, although sum() skips nulls.
transaction_id: Identifier that the service gave the transaction.
transaction_type: Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.
transactions: How many transactions contribute differently to the figure now than at the end of the day: settlement_history shows each. 0 for the value.
transactions_missing: Number of those that are missing from the service (missing_since). Updated with every commit.
transactions_since: Transactions first seen up to this time may be of any age; later ones are new. It is the end of the first sweep that read the whole list, or the last first sighting by then if later; for an empty list, the second sweep that found it empty. Null until then, and never changed.
transactions_total: Number of mirrored transactions, missing ones included. Updated with every commit.
txn_hash: Transaction hash on the blockchain.
uncertain_at_closing: The same for the closing observation. Transactions not read yet are not included.
uncertain_at_opening: By how much transactions that may lie on either side of the opening observation changed the total, as a sum of absolute amounts. Stakings leave the total unchanged: only their fees count. Computed only if balances differ from the flows, else 0; null if a figure is unknown, as on the first day.
unchanged_since: First snapshot that showed these values.
unchanged_until: Last observation (its snapshot_at) that showed the balance without the change; observations in between could not read it. Null if no earlier observation showed it.
unexplained_difference: closing_balance - expected_balance - timing_difference; null if one of them is null.
unidentified_count: Number of records that could not even be identified. A balance missing from this snapshot may be one of them, so no interval of balances ends with it.
unknown: Number of balances that could not be read.
unknown_whitelist_uses: Withdrawals for which it is unknown whether the destination was whitelisted: see destination_uses for the reason.
updated_at: When it was last confirmed or changed.
uses: Withdrawals to it, whatever their status.
valid_to: When the next state was first seen; it began between known_until and this moment. Null for the current state.
value: Amount times price, exact: round it as the currency requires.
valued: Number of balances in the sum, one per asset and network, zeros included.
vault_id: Identifier of the vault.
vault_name: Name of the account's own vault: from the transaction, else its current name.
vault_type: Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.
verdict: The evidence for verified, or the doubts against it; for the maintenance job, the number of rows removed.
verified: Whether every record that stayed in the list throughout was read; null if the job claims nothing.
warm_total: Total balance of the warm vaults; 0 if they do not list the asset; null if unknown.
whitelist_reason: Reason for is_whitelisted: listed; not listed; listed for another asset or network; or unknown, and why. The first that applies, in the order of docs/data.md.
whitelisted_after: Whether it was whitelisted at known_after_at.
whitelisted_at_first_use: Whether it was whitelisted when the first withdrawal was made; null if unknown.
whitelisted_before: Whether it was whitelisted at known_before_at.
whitelisted_now: Whether the last reading of the whitelist showed it; null if unknown.
withdrawals: Number of completed withdrawals.
without_price: Number of nonzero balances without a price in the currency.
writer: The process that holds the lease and writes; null if there is none.
writer_lease_until: When its lease expires unless renewed.
`;
