// What columns mean, by their names. Made from the comments in sql/ by npm run docs:generate.

export const sharedColumnTexts = `
account_id: Name of the mirrored account, as configured in CUSTODY_ACCOUNT.
address: Wallet address, where one was recognised.
after: Those members after, as JSON in a text; one that is absent now is left out.
all_total: Total balance of all vaults as the service sends it; null when it is unknown.
amount: Amount, in units of the asset, exact, without padding zeros, without fees.
anomaly_id: Number of the anomaly.
answered_at: When the last answer of the observation had arrived: each figure is of some moment between asked_at and answered_at.
as_known_now: The figure now; null when an amount is unknown.
as_of: From when on the price holds, until the next one of the same asset and currency.
as_reported: The figure at the end of the day; null when an amount was unknown then.
asked_at: When the first request of the observation began.
asset_count: How many balances the snapshot holds.
asset_id: Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.
asset_name: Name of the asset.
available_after: Available part after.
available_balance: Part that is available.
available_before: Available part before.
base_url: Base address of the custody service this account is read from. The same name with another address is refused.
before: Those members before, as JSON in a text; one that was absent is left out.
blockexplorer_link: Link to the transaction on a block explorer.
change: first observed (no earlier observation shows whether it existed), appeared, changed or disappeared (the service no longer lists the asset).
changed_after: The change happened after this moment, when the first request of the observation unchanged_until began. Null without an earlier observation.
changed_at: First observation (its snapshot_at) that showed the change. The change itself happened between changed_after and changed_before.
changed_before: The change happened before this moment, when the last answer of the observation changed_at had arrived.
changed_count: How many balances began, changed or ended with this snapshot.
changed_fields: Names of the members of the document that differ from the state before, in order, such as: address, name. Empty at the first sighting, and at a removal.
claimable_after: Claimable part after.
claimable_balance: Part that can be claimed from staking.
claimable_before: Claimable part before.
closing_balance: Total balance of all vaults observed last on the day; 0 when the asset is not listed, null when it is unknown because a record could not be read.
closing_observed_at: When that was (its snapshot_at): the last observation that was answered on the day.
code: replica-behind, nothing-mirrored, stopped, too-many-vanished, key-refused, failing, starting, never-read, stale, never-verified, verified-long-ago, clock-behind, quarantine or anomaly. docs/operations.md gives the cause of each and what to do.
cold_total: Total balance of the cold vaults; 0 when the asset is not listed there; null when it is unknown.
complete_since: For transactions: since when the whole list is mirrored; null until the first sweep has ended, and for the other resources.
completed_amount: Sum of the amounts of those completed, in units of the asset, exact. Null when the service sent no amount for one of them.
completed_uses: Of these, completed.
corrected_after: How long after the end of the day that was.
corrected_at: When what one of these transactions gives to the figure was last seen to change; of the worth, when a price of it was last changed.
counterparty_address: Wallet address of the other side.
counterparty_id: Identifier of the other side; null when the service sends none, as for external sources.
counterparty_name: Name of the other side: from the transaction, else the present name of the vault or whitelist entry.
counterparty_type: Type of the other side: vault, external, whitelist, network, stake pool or validator.
currency: Currency of the price, from custody.asset_prices.
day: Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).
deposits: Deposits completed.
destination_address: Wallet address of the destination.
destination_id: Identifier of the destination; the one of the whitelist entry when destination_type is whitelist.
destination_memo: Memo, tag or note for addresses that use one; may be empty.
destination_name: Name of the destination, from the last withdrawal to it.
destination_type: What it is: whitelist, vault, network, stake pool or validator.
details: What was seen.
difference: as_known_now - as_reported; null when one of them is null.
direction: Seen from the account: in (deposit) or out (withdraw).
document: The whole record as received; its fields are not documented.
document_id: Identifier of the vault or the whitelist entry.
ends_at: First moment of the next day.
entered_after: A moment at which the transaction was certainly not in this status yet; null when none is known.
entered_at: When the status was first seen.
entered_bound: What entered_at is: between two readings (the change happened after entered_after and before entered_at), first sighting (it appeared in this status), before the mirror began (the true time is unknown).
entry_id: Identifier of the entry.
error_code: Code of the failure.
error_message: The failure in words.
evidence: The evidence for it.
expected_balance: opening_balance + inflow - outflow - fees + staking_rewards; null when one of them is null.
fact: Name of the fact.
failed_runs_24h: Of these, failed.
fee: Fee taken from the total; 0 when the service sent none.
fee_asset_id: Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed. Sum fees by this column.
fee_asset_is_assumed: True: custody.fee_rules had no rule for the fee when the change was seen, and the asset of the transaction is assumed. Null for a correction that changes no fee.
fees: Fees taken from the balance. Null on the first day.
finished_at: When it ended; null while it runs.
first_observed_at: When it was first seen.
first_seen_after: A moment at which it certainly did not exist yet: it was made between this and first_seen_at. Null when unknown, as for what existed before the mirror.
first_seen_at: When the mirror first saw it. The service gives no time of creation: what existed before the mirror has the time of the first sweep.
first_transaction_id: The first withdrawal to it; of several first seen at the same moment, the least identifier.
first_used_at: When the mirror first saw the first withdrawal to it. The service gives no time of creation: what existed before the mirror has the time of the first sweep.
fix: What to do about it.
from_status: Status before; null at the first sighting. For a correction, as to_status.
health: The worst row of reporting.health_problems in short: nothing mirrored yet, stopped, failing, starting (a first reading has still to end), stale, never verified, verified too long ago, attention (records in quarantine, too many vanished at once, or the database's clock behind the times of the mirror), healthy.
in_amount: Sum of their amounts; null when the service sent no amount for one of them.
inflow: What came into the account; negative when an incoming amount was counted and then did not arrive. Null when the amount is unknown.
is_comparable: All transactions were mirrored before the opening observation. If false, transactions may be missing from the flows.
is_completed: The status is completed.
is_current: The state lasts.
is_explained: True: unexplained_difference is 0 and there are no staking_losses. False: no transaction explains what left or came; also when unexplained_difference is null but a loss is certain. Null: unknown, as on the first day or when a figure is unknown; or undecided, because a change may lie on either side of the observation, or transactions were not read since.
is_failing: Whether the last run of a job of this resource failed and none has succeeded since; false for a resource that is left out. For transactions also true when sweeps (reconcile) fail while increments succeed.
is_known: False: the record of the balance could not be read, and its figures are null because they are unknown, not zero. True: it could be read; a figure that is null was not sent by the service.
is_listed: The service listed the vault or the entry in this state.
is_mirrored: Whether CUSTODY_RESOURCES holds the resource. If not, the row shows what was read before.
is_older_than_mirror: It existed before the mirror, so that its beginning is unknown.
is_open: True while the status is not final (completed, rejected, cancelled, failed); an undocumented status counts as open. Null for an open transaction that the service no longer shows: its fate is unknown.
is_whitelisted: Whether the whitelist held the entry or the address at every moment at which the withdrawal can have been made, for this asset and network if the entry names them. Null when that is unknown: see whitelist_reason. Never count null as true.
job: transactions, balances, vaults, whitelist, reconcile (a sweep of all transactions) or maintenance.
kind: status: the transaction was first seen, or changed its status. correction: its amount, fee, type or asset changed.
known_after_at: The first moment after the withdrawal for which that is certain; null when there is none yet.
known_before_at: The last moment before the withdrawal for which that is certain; null when there is none.
known_until: When the last reading began that still showed the state; earlier than observed_at when only one reading showed it.
lag_seconds: The same in whole seconds.
last_failure_at: When a run last failed; failures older than 30 days are deleted.
last_failure_code: Code of that failure.
last_failure_message: Its message.
last_known_at: For an unknown balance: the last earlier observation (its snapshot_at) that showed the balance, or showed that it did not exist; null when there is none. Null for a known balance.
last_observed_at: When it was last seen.
last_success_at: When a run last succeeded; one that ended more than five minutes in the future does not count.
last_transaction_id: The last withdrawal to it; of several first seen at the same moment, the greatest identifier.
last_used_at: When the mirror first saw the last withdrawal to it.
last_verified_at: When a run last ended as verified: it showed that it missed nothing. An end more than five minutes in the future does not count.
last_verified_sweep_at: When a sweep of all transactions last ended as verified.
left_after: A moment at which the transaction was certainly still in this status; null when none is known.
left_at: When the next status was first seen; null while the status lasts.
left_bound: What left_at is: between two readings, or still when the status lasts.
measure: Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed; worth for total_value of worth_daily.
mirrored_since: When the account was mirrored for the first time.
missing: Of these, how many the service no longer shows.
missing_since: Since when the service no longer shows it; null while it does.
missing_uses: How many of the withdrawals the service no longer shows.
mode: full: reads a whole list; incremental: reads what is new.
name: Name of the vault, where one was recognised.
net_amount: in_amount - out_amount; null when one of them is null.
network_id: Identifier of the blockchain network; empty or null when the service names none.
network_name: Name of the blockchain network.
note: Note of the transaction; may be empty.
number: Number of the change within its kind: the sequence of a status, or the revision of a correction.
observed_after: A moment at which the change had certainly not happened yet; of a correction, that of the status before it, because it has no bound of its own. Null when unknown.
observed_at: When the observation of these figures was made.
occurrences: How often it was seen.
off_whitelist_uses: Withdrawals that were certainly not whitelisted: no reading of the whitelist around them shows the entry or the address for this asset and network. (What is listed and removed between two readings stays unseen.) Null when the whitelist was never read. Uncertain ones are in unknown_whitelist_uses.
oldest_price_as_of: The oldest of the prices; null when the sum is of nothing.
open_anomalies: Findings that are not resolved (sync.anomalies).
opening_balance: Total balance of all vaults in that observation; 0 when the asset was not listed, null when it is unknown because a record could not be read.
opening_observed_at: When the opening balance was observed (its snapshot_at): the last observation that was answered before the day; null on the first day.
out_amount: Sum of their amounts, without fees; null when the service sent no amount for one of them.
outflow: What left the account, without the fee. Null when the amount is unknown.
previous_status: Status before; null at the first sighting.
price: Price of one unit of the asset, from custody.asset_prices.
price_as_of: From when on that price holds.
problem: What is wrong, in words, without a full stop.
processing_after: Part being processed after.
processing_balance: Part that is being processed in a transaction.
processing_before: Part being processed before.
quarantine_id: Number of the entry.
quarantined: Records that could not be read, repeated ones included.
quarantined_count: How many records of the answer could not be read. They are in sync.quarantine instead.
quarantined_records: Records that could not be read (sync.quarantine).
rank: The lower, the worse; order by it.
rate_limited: Answers that asked to slow down (ERR-03).
rate_limited_24h: Of these, how many the service refused because of the rate limit.
raw: The record as received.
reason: Why it could not be read.
records_changed: Records whose content had changed.
records_inserted: Records seen for the first time.
records_read: Records received. Transactions count as often as they were received, others once.
requests: Requests sent to the custody service, retries included.
requests_24h: Requests to the service in these runs.
resolved_at: When the record could be read or was no longer listed; null until then. The row stays.
resource: transactions, balances, vaults or whitelist.
resource_id: Which record, value or balance it concerns; empty when it concerns the whole list.
retries: Requests that were sent again after a fault.
revision: Number of the observed correction among the revisions of the transaction; null for a change of status.
run_id: The run (sync.runs) that observed this. Old runs are deleted, so that it may no longer exist.
runs_24h: Runs of the last 24 hours, but for those of resources that CUSTODY_RESOURCES leaves out by now.
sequence: Number of the observed status within the transaction; 1 is the first sighting. Null for a correction.
settled_at: When the mirror first saw it completed. Those that were completed before the mirror began are not here.
severity: critical (replica-behind, nothing-mirrored, starting, stopped, too-many-vanished, and key-refused, failing or stale of the job transactions) or warning: the mirror is not healthy. note (anomaly): worth knowing, but the mirror is healthy.
since: Since when; null if unknown. nothing-mirrored, starting and never-read: when the account was first seen. stopped: when its lease ended, or the last success where the process gave the lease back. replica-behind: the last transaction of the primary that is here. key-refused and failing: the first failure since the last success. stale: the last success. never-verified: the end of the first sweep. verified-long-ago: the last verified one. clock-behind: when it was noticed, by the database's clock. Others: when the oldest record was first observed.
snapshot_at: When the run of the observation began; one value for the three vault types of one tick. The figures are of a moment between asked_at and answered_at.
source: Where the price comes from, in your words.
source_address: Wallet address of the source.
source_id: Identifier of the source; empty for an external source.
source_name: Name of the source; empty for an external source.
source_timestamp: Time that the service put on the answer.
source_type: Where it came from: vault, external, whitelist or network.
staked_change: Change of staking_balance and claimable_balance together. Null when the amount is unknown.
staking_after: Staked part after.
staking_balance: Part that is staked.
staking_before: Staked part before.
staking_losses: What the staked and claimable balances lost without a transaction that explains it; never negative. A loss is not explained. Null when staking_rewards is null.
staking_rewards: Growth of staked and claimable balances that no transaction explains; never negative (for losses see staking_losses). Inferred: the service does not report it. Null when it is unknown: on the first day, when only one of the two observations shows a staked part, or when uncertain stakings leave it open.
started_at: When it began.
starts_at: First moment of the day. A day on which the clocks or the time zone change does not have 24 hours.
status: Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.
status_changes: Changes of a transaction's status that were observed.
status_changes_24h: Changes of a status observed in these runs.
status_since: When the mirror first saw the present status. The change itself happened between the reading before and this moment.
subject: What it concerns: account, a job of sync.runs, a resource, or the kind of an anomaly.
time_zone: Time zone (IANA name) in which the days of reports begin, as configured in SCHEDULE_TIMEZONE of the process that last started. It holds from the moment it is set; custody.former_time_zones keeps those before.
timing_difference: Part of the difference that comes from timing: transactions that may lie on either side of the opening or closing observation can cause it, and between the nearest observations without uncertain transactions all such differences add up to 0. Null when the difference or staking_rewards is unknown.
to_status: Status after; for a correction, the last documented one before: a status that is seen together with it is posted after it.
total_after: Total balance after.
total_balance: Total balance, in units of the asset, exact, without padding zeros.
total_before: Total balance before.
total_change: The difference; null when change is first observed.
total_value: Total balance times price, exact: round it as the currency requires. Null when the balance is unknown: a total with it is unknown too, although sum() leaves it out.
transaction_id: Identifier the custody service gave the transaction.
transaction_type: Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.
transactions: How many transactions give something else to the figure now than at the end of the day: settlement_history shows each. 0 for the worth.
transactions_missing: How many of them vanished from the service (missing_since). Updated with every commit.
transactions_since: Transactions first seen up to this time may be of any age; those first seen later are new. It is the end of the first sweep that read the whole list, or the last first sighting by then if that is later; for an empty list, the second sweep that found it empty. Null until then, and never changed.
transactions_total: How many transactions are mirrored, vanished ones included. Updated with every commit.
txn_hash: Transaction hash on the blockchain.
uncertain_at_closing: The same for the closing observation. Transactions that were not read yet are not included.
uncertain_at_opening: By how much transactions that may lie on either side of the opening observation changed the total, as a sum of absolute amounts. Stakings do not change the total: only their fees count. Computed only when balances differ from the flows, else 0; null when one of the figures is unknown, as on the first day.
unchanged_since: First snapshot that showed these values.
unchanged_until: Last observation (its snapshot_at) that showed the balance without the change; any observations between the two could not read it. Null when no earlier observation showed it.
unexplained_difference: closing_balance - expected_balance - timing_difference; null when one of them is null.
unidentified_count: How many records could not even be identified. A balance that this snapshot does not show may be one of them, so that no interval of balances ends with it.
unknown: Balances that could not be read.
unknown_whitelist_uses: Withdrawals for which it is unknown whether the whitelist held their destination: destination_uses says why for each.
updated_at: When it was last confirmed or changed.
uses: Withdrawals to it, whatever their status.
valid_to: When the next state was first seen; it began between known_until and this. Null while the state lasts.
value: Amount times price, exact: round it as the currency requires.
valued: Balances in the sum, one for each asset and network; those of zero too.
vault_id: Identifier of the vault.
vault_name: Name of the own vault: from the transaction, else its present name.
vault_type: What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.
verdict: The evidence for verified, or the doubts against it; for the maintenance job, how many rows it removed.
verified: Whether every record that stayed in the list throughout was read; null when the job claims nothing.
warm_total: Total balance of the warm vaults; 0 when the asset is not listed there; null when it is unknown.
whitelist_reason: The reason for is_whitelisted: listed; not listed; listed for another asset or network; or unknown, and why: the first that applies, in the order of docs/data.md.
whitelisted_after: Whether it was whitelisted at known_after_at.
whitelisted_at_first_use: Whether the whitelist held it when the first withdrawal was made; null when that is unknown.
whitelisted_before: Whether it was whitelisted at known_before_at.
whitelisted_now: Whether the last reading of the whitelist showed it; null when that is unknown.
withdrawals: Withdrawals completed.
without_price: Balances that are not zero and had no price in the currency.
writer: The process that holds the lease and writes; null when there is none.
writer_lease_until: Until when its lease lasts, unless it is renewed.
`;
