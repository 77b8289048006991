// What the database says of the columns of lists: kind and comment. Generated from the database and the comments in
// sql/ by npm run generate. A line with the name of a table, view or function is for that one alone.

export const catalogue = `
account_id text: Name of the mirrored account, as configured in CUSTODY_ACCOUNT.
address text: Wallet address, if recognised.
after text: Those members after the change, as JSON text, without the ones that are absent now.
all_is_known boolean
all_total amount: Total balance of all vaults, as the service sends it; null if unknown.
amount amount: Amount in units of the asset, without fees: exact, without padding zeros.
anomaly_id integer: Number of the anomaly.
answered_at moment: When the last answer of the observation had arrived.
as_known_now amount: The figure now; null if an amount is unknown.
as_of moment: When the price takes effect, until the next one of the same asset and currency.
as_reported amount: The figure at the end of the day; null if an amount was unknown then.
asked_at moment: When the first request of the observation began. Each figure is from some moment between asked_at and answered_at.
asset_count integer: Number of balances in the snapshot.
asset_id text: Identifier of the asset, such as its symbol. The same asset on a second network has its own identifier.
asset_name text: Name of the asset.
available_after amount: Available part after.
available_balance amount: Available part.
available_before amount: Available part before.
available_value amount
base_url text: Base address of the custody service that the account is read from. The same name with another address is refused.
before text: Those members before the change, as JSON text, without the ones that were absent.
blockexplorer_link text: Link to the transaction on a block explorer.
change text: first observed (no earlier observation shows whether it existed), appeared, changed or disappeared (no longer listed by the service).
changed_after moment: Lower bound of the change: when the first request of the observation unchanged_until began. Null without an earlier observation.
changed_at moment: First observation (its snapshot_at) that showed the change, which happened between changed_after and changed_before.
changed_before moment: Upper bound of the change: when the last answer of the observation changed_at arrived.
changed_count integer: Number of balances that began, changed or ended with this snapshot.
changed_fields text: Names of the members that differ from the previous state, in order, such as: address, name. Empty at the first sighting, and on removal.
claimable_after amount: Claimable part after.
claimable_balance amount: Part claimable from staking.
claimable_before amount: Claimable part before.
claimable_value amount
closing_answered_at moment
closing_balance amount: Total balance of all vaults in the last observation of the day; 0 if the asset was not listed, null if a record could not be read.
closing_observed_at moment: When the closing balance was observed (its snapshot_at): the last observation answered on the day.
code text: replica-behind, nothing-mirrored, stopped, history-altered, sealing-stopped, too-many-missing, key-refused, failing, starting, never-read, stale, never-verified, verified-long-ago, clock-behind, quarantine, anomaly or retired. docs/operations.md gives the cause and the remedy of each.
cold_is_known boolean
cold_total amount: Total balance of the cold vaults; 0 if they do not list the asset; null if unknown.
complete_since moment: From when the whole list of transactions is mirrored; null until the first sweep has ended, and for the other resources.
completed_amount amount: Sum of the completed amounts, in units of the asset, exact. Null if the service sent no amount for one of them.
completed_uses integer: Completed uses.
content_hash text: Digest of the record without its timestamp; it changes when the record does.
corrected_after seconds: Time from the end of the day to corrected_at.
corrected_at moment: When the contribution of one of these transactions was last seen to change; for the value, when one of its prices last changed.
counterparty_address text: Wallet address of the counterparty.
counterparty_id text: Identifier of the counterparty; null if the service sends none, as for external sources.
counterparty_name text: Name of the counterparty: from the transaction, else the current name of the vault or whitelist entry.
counterparty_type text: Type of the counterparty: vault, external, whitelist, network, stake pool or validator.
currency text: Currency of the prices in custody.asset_prices.
custody.accounts.first_seen_at moment: When the account was first mirrored.
custody.asset_prices.asset_id text: The asset, spelled as in custody.balances.
custody.asset_prices.currency text: Currency of the price, such as USD.
custody.asset_prices.price amount: Price of one unit of the asset, in the currency.
custody.balance_snapshots.vault_type text: Vaults observed: all, warm or cold.
custody.document_revisions.address text: Address recognised in the document; for whitelist entries only.
custody.document_revisions.asset_id text: Asset recognised in the document; for whitelist entries only.
custody.document_revisions.change text: added, changed, removed or restored.
custody.document_revisions.document json: The whole record; on removal, the last one seen.
custody.document_revisions.name text: Name recognised in the document; null if none was, as in the next four columns.
custody.document_revisions.network_id text: Network recognised in the document; for whitelist entries only.
custody.document_revisions.observed_at moment: When the answer that showed it arrived.
custody.document_revisions.vault_type text: Vault type recognised in the document; for vaults only.
custody.transaction_revisions.after json: The changed fields after the change, without those that are absent now.
custody.transaction_revisions.before json: The changed fields before the change, without those that were absent.
custody.transaction_revisions.changed_fields texts: Names of the changed columns; a field without a column appears as raw. and its path in the record.
custody.transaction_revisions.observed_at moment: When the answer that showed the change arrived. The change itself happened earlier.
custody.transaction_revisions.revision integer: Number of the change within the transaction, from 1.
custody.vaults.changed_at moment: When the answer that last changed this row arrived.
custody.vaults.missing_since moment: When the service stopped listing it; null while it lists it.
custody.vaults.vault_type text: warm or cold.
custody.whitelist_entries.asset_id text: Identifier of the asset, if recognised.
custody.whitelist_entries.changed_at moment: When the answer that last changed this row arrived.
custody.whitelist_entries.missing_since moment: When the service stopped listing it; null while it lists it.
custody.whitelist_entries.name text: Name of the entry, if recognised.
custody.whitelist_entries.network_id text: Identifier of the network, if recognised.
day day: Calendar day in the account's time zone (SCHEDULE_TIMEZONE).
days text
deposits integer: Number of completed deposits.
destination_address text: Wallet address of the destination.
destination_id text: Identifier of the destination; of the whitelist entry if destination_type is whitelist.
destination_memo text: Memo, tag or note for addresses that use one; may be empty.
destination_name text: Name of the destination, from the last withdrawal to it.
destination_type text: Type of the destination: vault, whitelist, network, stake pool or validator.
details json: What was seen last; in earlier, what else was seen of a kind whose sightings are events.
difference amount
direction text: in (deposit) or out (withdraw).
document json: The whole record as received; the service documents none of its fields.
document_id text: Identifier of the vault or the whitelist entry.
ends_at moment: First moment of the next day. For the day as it was closed, pass ends_at - interval '1 microsecond' to functions such as flows_daily_at.
entered_after moment: A moment at which the transaction was certainly not in this status yet; null if none is known.
entered_at moment: When the status was first seen.
entered_bound text: Meaning of entered_at: between two readings (the change happened between entered_after and entered_at), first sighting (it appeared in this status), before the mirror began (the true time is unknown).
entry_id text: Identifier of the entry.
error_code text: Code of the failure.
error_message text: Message of the failure.
evidence text: The evidence for it.
expected_balance amount: opening_balance + inflow - outflow - fees + staking_rewards; null if one of them is null.
fact text: Name of the fact.
failed_runs_24h integer: Of these, failed.
fee amount: Sum of their fees, in units of fee_asset_id.
fee_asset_id text: Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction. Sum fees by this column.
fee_asset_is_assumed boolean: True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption.
fees amount: Fees taken from the balance. Null on the first day.
finished_at moment: When it ended; null while it runs.
first_observed_at moment: When it was first seen.
first_seen_after moment: A moment at which it certainly did not exist yet: it was created between this and first_seen_at. Null if unknown, as for records older than the mirror.
first_seen_at moment: When the mirror first saw it. The service sends no creation time: records older than the mirror carry the time of the first sweep.
first_transaction_id text: The first withdrawal to it; the lowest identifier if several were first seen at the same moment.
first_used_at moment: When the mirror first saw the first withdrawal to it; for withdrawals older than the mirror, the time of the first sweep.
fix text: Remedy.
from_day text
from_status text: Previous status; null at the first sighting. For a correction, the same as to_status.
gap_from moment
gap_to moment
health text: The worst row of reporting.health_problems in short: nothing mirrored yet, stopped, failing, starting (a first reading is not finished), stale, never verified, verified too long ago, attention (records in quarantine, too many missing at once, or the database's clock behind the times of the mirror), healthy.
in_amount amount: Sum of their amounts; null if the service sent no amount for one of them.
inflow amount: Inflows by accounting_rules. Deposits in progress count, as they do in the balance. Null on the first day, and if an amount is unknown.
is_comparable boolean: True if all transactions were mirrored before the opening observation. If false, transactions may be missing from the flows.
is_completed boolean: Whether the status is completed.
is_current boolean: True for the current state.
is_explained boolean: True if unexplained_difference is 0 and there are no staking_losses. False if no transaction explains what left or came in, or if unexplained_difference is null but a loss is certain. Null if unknown, as on the first day or without a figure, or if undecided: a change may lie on either side of the observation, or transactions were not read since.
is_failing boolean: Whether the last run of a job of this resource failed and none has succeeded since; false for a resource that is not mirrored. For transactions, also true if sweeps (reconcile) fail while increments succeed.
is_known boolean: False if the record of the balance could not be read: its figures are null because they are unknown, not zero. If true, a null figure was not sent by the service.
is_listed boolean: Whether the service listed the vault or entry in this state.
is_mirrored boolean: Whether CUSTODY_RESOURCES includes the resource. If not, the row shows what was read before.
is_older_than_mirror boolean: Whether it existed before the mirror, so that its beginning is unknown.
is_open boolean: True while the status is not settled (completed, rejected, cancelled, failed); an undocumented status counts as open. Null for an open transaction that the service no longer shows: its outcome is unknown.
is_whitelisted boolean: Whether the whitelist held the entry or the address at every moment at which the withdrawal can have been made, for this asset and network if the entry names them. Null if unknown: see whitelist_reason. Never count null as true.
job text: transactions, balances, vaults, whitelist, reconcile (a sweep of all transactions) or maintenance.
kind text: vault or whitelist_entry.
known_after_at moment: The first moment after the withdrawal for which that is certain; null if there is none yet.
known_before_at moment: The last moment before the withdrawal for which that is certain; null if there is none.
known_until moment: Start of the last reading that still showed the state; earlier than observed_at if only one reading showed it.
lag_seconds amount: Lag in whole seconds.
last_failure_at moment: When a run last failed; failures older than 30 days are deleted.
last_failure_code text: Code of that failure.
last_failure_message text: Message of that failure.
last_known_at moment: For an unknown balance: the last earlier observation (its snapshot_at) that showed it, or showed that it did not exist; null if there is none. Null for a known balance.
last_observed_at moment: When it was last seen.
last_success_at moment: When a run last succeeded. A run that ended more than five minutes in the future does not count.
last_transaction_id text: The last withdrawal to it; the highest identifier if several were first seen at the same moment.
last_used_at moment: When the mirror first saw the last withdrawal to it.
last_verified_at moment: When a run last ended as verified, having shown that it missed nothing. A run that ended more than five minutes in the future does not count.
last_verified_sweep_at moment: When a sweep of all transactions last ended as verified.
left_after moment: A moment at which the transaction was certainly still in this status; null if none is known.
left_at moment: When the next status was first seen; null for the current one.
left_bound text: Meaning of left_at: between two readings, or still for the current status.
measure text: Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed; portfolio_value for total_value of portfolio_value_daily.
mirrored_since moment: When the account was first mirrored.
missing integer: Of these, how many the service no longer shows.
missing_since moment: When the service stopped showing it; null while it shows it.
missing_uses integer: Withdrawals that the service no longer shows.
mode text: full: reads a whole list; incremental: reads what is new.
name text: Name of the vault, if recognised.
net_amount amount: in_amount - out_amount; null if either is null.
network_id text: Identifier of the blockchain network; empty or null if the service names none.
network_name text: Name of the blockchain network.
non_whitelisted_amount amount
non_whitelisted_uses integer: Withdrawals whose destination was certainly not whitelisted: no reading of the whitelist around them shows the entry or the address for this asset and network. (An entry listed and removed between two readings stays unseen.) Null if the whitelist was never read. Uncertain ones count in unknown_whitelist_uses.
note text: Note of the transaction; may be empty.
number integer: Number of the change within its kind: the sequence of a status, or the revision of a correction.
observed_after moment: When the previous whole reading of the list began: the change happened between then and observed_at. Null at the first reading.
observed_at moment: When the balance was observed.
occurrences integer: How often it was seen.
oldest_price_as_of moment
open_anomalies integer: Open anomalies (sync.anomalies).
opening_answered_at moment
opening_balance amount: Total balance of all vaults in that observation; 0 if the asset was not listed, null if a record could not be read.
opening_observed_at moment: When the opening balance was observed (its snapshot_at): the last observation answered before the day; null on the first day.
out_amount amount: Sum of their amounts, without fees; null if the service sent no amount for one of them.
outflow amount: Outflows without fees. Null on the first day, and if an amount is unknown.
previous_status text: Previous status; null at the first sighting.
price amount: Price of one unit of the asset, from custody.asset_prices.
price_as_of moment: When that price took effect.
problem text: Description, without a full stop.
processing_after amount: Part being processed after.
processing_balance amount: Part being processed in a transaction.
processing_before amount: Part being processed before.
processing_value amount
quarantine_id integer: Number of the entry.
quarantined integer: Unreadable records, repeated ones included.
quarantined_count integer: Number of unreadable records in the answer. They are in sync.quarantine instead.
quarantined_records integer: Records that could not be read (sync.quarantine).
rank integer: For sorting: the lower, the worse.
rate_limited integer: Answers that asked for a slower rate (ERR-03).
rate_limited_24h integer: Of these, refused by the rate limit of the service.
raw text: The record as received.
reason text: Why it could not be read.
records_changed integer: Records whose content had changed.
records_inserted integer: Records seen for the first time.
records_read integer: Records received. A transaction counts every time it is received, other records once.
reporting.balance_series.observed_at moment: When the change was first seen.
reporting.balance_split.observed_at moment: When the balances were observed.
reporting.balance_values_held.total_value amount: Total balance times price, exact: round it as the currency requires. Null if the balance is unknown; a sum over it is then unknown too, although sum() skips nulls.
reporting.calendar.starts_at moment: First moment of the day. A day on which the clocks or the time zone change does not last 24 hours.
reporting.calendar.time_zone text: Time zone of the account at the end of the day, from SCHEDULE_TIMEZONE.
reporting.destination_use_totals.asset_name text: Name of the asset, from the last withdrawal.
reporting.destination_uses.amount amount: Amount in units of the asset: exact, without padding zeros. Null if the service sent none.
reporting.destination_uses.destination_name text: Name of the destination.
reporting.destinations.asset_name text: Name of the asset, from the last withdrawal.
reporting.destinations_daily.asset_name text: Name of the asset, from the last withdrawal.
reporting.document_changes.address text: Wallet address, if recognised; for whitelist entries only.
reporting.document_changes.asset_id text: Asset the entry is for; null if it names none, and for vaults.
reporting.document_changes.change text: added, changed, removed or restored.
reporting.document_changes.document text: The whole record as JSON text; on removal, the last one seen. custody.document_revisions holds it as jsonb.
reporting.document_changes.is_older_than_mirror boolean: Whether this state was shown when the list was first read, so that its beginning is unknown; false for the later states of the same document.
reporting.document_changes.name text: Name recognised in the document.
reporting.document_changes.network_id text: Network the entry is for; null if it names none, and for vaults.
reporting.document_changes.observed_after moment: When the state had certainly not begun yet: the start of the previous reading of the list. Null at the first reading.
reporting.document_changes.observed_at moment: When the state was first seen; it began between observed_after and this moment.
reporting.document_changes.vault_type text: warm or cold, if recognised; for vaults only.
reporting.fees_daily.asset_id text: Identifier of the asset of the transactions.
reporting.fees_daily.asset_name text: Name of the asset of the transactions.
reporting.fees_daily.transaction_type text: Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.
reporting.late_corrections.asset_id text: Identifier of the asset, null for the value; for the measure fee, the asset in which the fee is paid.
reporting.late_corrections.currency text: For the value: currency of the prices; else null.
reporting.late_corrections.day day: Calendar day in the account's time zone (SCHEDULE_TIMEZONE) on which the transactions count.
reporting.late_corrections.difference amount: as_known_now - as_reported; null if either is null.
reporting.late_corrections.reason text: Cause of the difference: answer (the service showed something else later), fee rule (custody.fee_rules was changed), price (custody.asset_prices was changed); several are separated by commas.
reporting.late_corrections.transaction_type text: Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.
reporting.late_corrections.transactions integer: How many transactions contribute differently to the figure now than at the end of the day: settlement_history shows each. 0 for the value.
reporting.late_corrections.vault_type text: For the value: all, warm or cold; else null.
reporting.movement_values.price amount: Latest price of one unit of the asset when it was completed, from custody.asset_prices.
reporting.portfolio_value_daily.currency text: Currency of the prices, from custody.asset_prices.
reporting.portfolio_value_daily.observed_at moment: When the observation of these figures was made.
reporting.portfolio_value_daily.oldest_price_as_of moment: When the oldest of the prices took effect; null for an empty sum.
reporting.portfolio_value_daily.total_value amount: Sum of total balance times price, exact: round it as the currency requires. It leaves out balances without a price and unknown ones: see without_price and unknown.
reporting.portfolio_value_daily.unknown integer: Number of balances that could not be read, records that could not be identified included.
reporting.portfolio_value_daily.valued integer: Number of balances in the sum, one per asset and network, zeros included.
reporting.portfolio_value_daily.without_price integer: Number of nonzero balances without a price in the currency.
reporting.portfolio_value_held.total_value amount: Total balance times price, exact: round it as the currency requires. Null if the balance is unknown; a sum over it is then unknown too, although sum() skips nulls.
reporting.postings_of_days.asset_id text: Identifier of the asset moved. A fee in another asset than the transaction has its own row, if it moved.
reporting.postings_of_days.asset_name text: Name of the asset; null for a fee in another asset.
reporting.postings_of_days.fee amount: Fee taken from the total; 0 if the service sent none.
reporting.postings_of_days.fee_asset_is_assumed boolean: True if custody.fee_rules had no rule for the fee when the change was seen, so fee_asset_id is an assumption. Null for a correction that changes no fee.
reporting.postings_of_days.inflow amount: What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown.
reporting.postings_of_days.kind text: status: a first sighting or a change of status. correction: a change of amount, fee, type or asset.
reporting.postings_of_days.observed_after moment: A moment at which the change had certainly not happened yet. A correction has no bound of its own and takes that of the last documented status before it, or of an earlier one if that is later. Null if unknown.
reporting.postings_of_days.observed_at moment: When the change was first seen.
reporting.postings_of_days.outflow amount: What left the account, without the fee. Null if the amount is unknown.
reporting.postings_of_days.revision integer: Number of the correction among the revisions of the transaction; null for a change of status.
reporting.postings_of_days.total_change amount: Change of the total balance: inflow - outflow - fee. Null if the amount is unknown.
reporting.postings_of_days.transaction_type text: Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.
reporting.reconciliation_daily.asset_name text: Name of the asset in the balances or the postings; of several, the last in alphabetical order.
reporting.reconciliation_of_span.asset_name text: Name of the asset in the balances or the postings; of several, the last in alphabetical order.
reporting.reconciliation_postings.asset_id text: Identifier of the asset moved. A fee in another asset than the transaction has its own row.
reporting.reconciliation_postings.asset_name text: Name of the asset; null for a fee in another asset.
reporting.reconciliation_postings.fee amount: Fee taken from the total; 0 if the service sent none.
reporting.reconciliation_postings.fee_asset_is_assumed boolean: True if custody.fee_rules has no rule for the fee, so fee_asset_id is an assumption. Null for a correction that changes no fee.
reporting.reconciliation_postings.from_status text: Previous status; null at the first sighting.
reporting.reconciliation_postings.inflow amount: What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown.
reporting.reconciliation_postings.kind text: status: a first sighting or a change of status. correction: a change of amount, fee, type or asset.
reporting.reconciliation_postings.observed_after moment: A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null if unknown.
reporting.reconciliation_postings.observed_at moment: When the change was first seen.
reporting.reconciliation_postings.outflow amount: What left the account, without the fee. Null if the amount is unknown.
reporting.reconciliation_postings.total_change amount: Change of the total balance: inflow - outflow - fee. Null if the amount is unknown.
reporting.reconciliation_postings.transaction_type text: Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.
reporting.reconciliation_uncertain.asset_id text: Identifier of the asset moved. A fee in another asset than the transaction has its own row.
reporting.reconciliation_uncertain.asset_name text: Name of the asset; null for a fee in another asset.
reporting.reconciliation_uncertain.closing_observed_at moment: When the observation was made (its snapshot_at): the last one answered on the day.
reporting.reconciliation_uncertain.fee amount: Fee taken from the total; 0 if the service sent none.
reporting.reconciliation_uncertain.from_status text: Previous status; null at the first sighting.
reporting.reconciliation_uncertain.inflow amount: What came into the account; negative if an incoming amount was counted and then did not arrive. Null if the amount is unknown.
reporting.reconciliation_uncertain.kind text: status: a first sighting or a change of status. correction: a change of amount, fee, type or asset.
reporting.reconciliation_uncertain.observed_after moment: A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null if unknown.
reporting.reconciliation_uncertain.observed_at moment: When the change was first seen.
reporting.reconciliation_uncertain.outflow amount: What left the account, without the fee. Null if the amount is unknown.
reporting.reconciliation_uncertain.total_change amount: Change of the total balance: inflow - outflow - fee. Null if the amount is unknown.
reporting.reconciliation_uncertain.transaction_type text: Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.
reporting.sync_health.complete_since moment: From when the whole list of transactions is mirrored; null until the first sweep has ended.
reporting.sync_health.last_success_at moment: When a run of any resource last succeeded.
reporting.sync_health.time_zone text: Time zone of the account's days and months.
reporting.transaction_timeline.is_current boolean: True for the current status.
reporting.transaction_timeline.sequence integer: Number of the observed status within the transaction, from 1 (first sighting).
reporting.transaction_timeline.status text: The observed status.
reporting.transactions.amount amount: Amount in units of the asset: exact, without padding zeros, unsigned (see direction). Null if the service sent none.
reporting.transactions.changed_at moment: When the answer that last changed any of it arrived. Going missing does not count as a change: see missing_since.
reporting.transactions.destination_id text: Identifier of the destination.
reporting.transactions.destination_name text: Name of the destination.
reporting.transactions.direction text: Seen from the account: in (deposit), out (withdraw), internal (between vaults) or staking. An undocumented type is classified by source and destination, else unknown.
reporting.transactions.fee amount: Fee in units of fee_asset_id, exact. Null if the service sent none.
reporting.transactions.fee_asset_id text: Asset in which the fee is paid: from custody.fee_rules; without a rule, assumed to be the asset of the transaction.
reporting.transactions.settled_at moment: When the mirror saw its current settled status begin: for one that completed and then failed, when it failed. Null while open, and if it had that status before the mirror began. The daily reports count it when it was first seen in that status: see settlement_history.
reporting.transactions.transaction_type text: Type of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.
reporting.transactions.vault_id text: The account's own vault: the destination if it comes from elsewhere, else the source, whatever its type. Taken from the transaction, so it is set even if vaults are not mirrored.
reporting.transactions.vault_type text: warm or cold; null if the vault is not mirrored.
requested_by text: Who asked the daemon for it by sync, as role@host (user of the operating system). Null for runs started by a schedule or by sync itself.
requests integer: Requests to the custody service, including retries.
requests_24h integer: Requests to the service in these runs.
resolved_at moment: When the record became readable or was no longer listed; null until then. The row stays.
resource text: transactions, balances, vaults or whitelist (null for a job that mirrors nothing).
resource_id text: The record, value or balance it concerns; empty if it concerns the whole list.
retries integer: Requests retried after a fault.
revision integer: Number of the state within the document; 1 is the first sighting.
run_id integer: The run (sync.runs) that observed this. Old runs are deleted, so it may no longer exist.
runs_24h integer: Runs in the last 24 hours, except those of resources that CUSTODY_RESOURCES now leaves out.
sequence integer: Number of the observed status within the transaction, from 1 (first sighting). Null for a correction.
settled_at moment: When the mirror first saw it completed. Those completed before the mirror began are left out.
severity text: critical (replica-behind, nothing-mirrored, starting, stopped, history-altered, sealing-stopped, too-many-missing, and key-refused, failing or stale of the job transactions) or warning: the mirror is not healthy. note (anomaly, retired): worth knowing, but the mirror is healthy.
since moment: When it began; null if unknown. nothing-mirrored, starting and never-read: when the account was first seen. stopped: when its lease ended, or the last success if the process released the lease. replica-behind: the last transaction of the primary replayed here. key-refused and failing: the first failure since the last success. stale: the last success. never-verified: the end of the first sweep. verified-long-ago: the last verified sweep. clock-behind: when it was noticed, by the database's clock. history-altered: when a verification on schedule first found it. sealing-stopped: the first failure of sealing. retired: when it began. Others: when the oldest record was first observed.
snapshot_at moment: When the run of the observation began; the same for the three vault types of one tick. The figures are of a moment between asked_at and answered_at.
source text: Source of the price, in your words.
source_address text: Wallet address of the source.
source_id text: Identifier of the source; empty for an external source.
source_name text: Name of the source; empty for an external source.
source_timestamp moment: Timestamp of the answer, set by the service.
source_type text: Type of the source: vault, external, whitelist or network.
staked_change amount: Change of staking_balance and claimable_balance together. Null if the amount is unknown.
staked_rest amount
staking_after amount: Staked part after.
staking_balance amount: Staked part.
staking_before amount: Staked part before.
staking_losses amount: Loss of staked and claimable balances that no transaction explains; never negative. A loss is not explained. Null if staking_rewards is null.
staking_rewards amount: Growth of staked and claimable balances that no transaction explains; never negative (for losses see staking_losses). Inferred: the service does not report it. Null if unknown: on the first day, if only one of the two observations shows a staked part, or if uncertain stakings leave it open.
staking_value amount
started_at moment: When it began.
starts_at moment
state text
status text: Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.
status_changes integer: Status changes of transactions observed.
status_changes_24h integer: Status changes observed in these runs.
status_since moment: When the mirror first saw the current status. The change itself happened between the previous reading and this moment.
subject text: account, a job of sync.runs, a resource, or the kind of an anomaly.
sync.anomalies.kind text: The kind of anomaly; docs/data.md explains each.
sync.anomalies.resolved_at moment: When it ended; null while it is open. The row is deleted 90 days later.
sync.learned.value text: What was learned.
sync.quarantine.run_id integer: The run (sync.runs) that last saw it.
sync.runs.run_id integer: Number of the run.
sync.runs.status text: running, succeeded, failed, or abandoned because its process stopped.
time_zone text: Time zone (IANA name) in which the days of reports begin: SCHEDULE_TIMEZONE of the process that last started. It takes effect when set; custody.former_time_zones keeps earlier ones.
timing_difference amount: Part of the difference due to timing: transactions that may lie on either side of the opening or closing observation can cause it, and between the nearest observations without uncertain transactions (any observation, not only the last of a day) all such differences add up to 0. Null if the difference or staking_rewards is unknown.
to_day text
to_status text: Status after the change; for a correction, the last documented status before it: a status seen in the same answer is posted afterwards.
total_after amount: Total balance after.
total_balance amount: Total balance in units of the asset: exact, without padding zeros.
total_before amount: Total balance before.
total_change amount: total_after - total_before; null if change is first observed.
total_value amount
totals text
transaction_id text: Identifier that the service gave the transaction.
transaction_type text: deposit or withdraw.
transactions integer: Number of transactions with a fee other than 0.
transactions_missing integer: Number of those that are missing from the service (missing_since). Updated with every commit.
transactions_since moment: Transactions first seen up to this time may be of any age; later ones are new. It is the end of the first sweep that read the whole list, or the last first sighting by then if later; for an empty list, the second sweep that found it empty. Null until then, and never changed.
transactions_total integer: Number of mirrored transactions, missing ones included. Updated with every commit.
txn_hash text: Transaction hash on the blockchain.
uncertain_at_closing amount: The same for the closing observation. Transactions not read yet are not included.
uncertain_at_opening amount: By how much transactions that may lie on either side of the opening observation changed the total, as a sum of absolute amounts. Stakings leave the total unchanged: only their fees count. Computed only if balances differ from the flows, else 0; null if a figure is unknown, as on the first day.
unchanged_since moment: First snapshot that showed these values.
unchanged_until moment: Last observation (its snapshot_at) that showed the balance without the change; observations in between could not read it. Null if no earlier observation showed it.
unexplained_difference amount: closing_balance - expected_balance - timing_difference; null if one of them is null.
unidentified_count integer: Number of records that could not even be identified. A balance missing from this snapshot may be one of them, so no interval of balances ends with it.
unknown integer
unknown_whitelist_amount amount
unknown_whitelist_uses integer: Withdrawals for which it is unknown whether the destination was whitelisted: see destination_uses for the reason.
updated_at moment: When it was last confirmed or changed.
uses integer: Withdrawals to it, whatever their status.
valid_to moment: When the next state was first seen; it began between known_until and this moment. Null for the current state.
value amount: Amount times price, exact: round it as the currency requires.
valued integer
vault_id text: Identifier of the vault.
vault_name text: Name of the account's own vault: from the transaction, else its current name.
vault_type text: Vaults covered by the figures: all, warm or cold. Do not add them up: all includes the other two.
verdict json: The evidence for verified, or the doubts against it; for the maintenance job, the number of rows removed.
verified boolean: Whether every record that stayed in the list throughout was read; null if the job claims nothing.
warm_is_known boolean
warm_total amount: Total balance of the warm vaults; 0 if they do not list the asset; null if unknown.
whitelist_reason text: Reason for is_whitelisted: listed; not listed; listed for another asset or network; or unknown, and why. The first that applies, in the order of docs/data.md.
whitelisted_after boolean: Whether it was whitelisted at known_after_at.
whitelisted_at_first_use boolean: Whether it was whitelisted when the first withdrawal was made; null if unknown.
whitelisted_before boolean: Whether it was whitelisted at known_before_at.
whitelisted_now boolean: Whether the last reading of the whitelist showed it; null if unknown.
withdrawals integer: Number of completed withdrawals.
without_price integer
writer text: The process that holds the lease and writes; null if there is none.
writer_lease_until moment: When its lease expires unless renewed.
`;
