// The text that --help adds to the options: what a command needs, its own exit codes, and examples.

export const programNotes = `
Configuration comes from the environment; docs/configuration.md lists every variable. Required:
  DATABASE_URL       postgres://user:password@host:5432/database
  CUSTODY_BASE_URL   https://… of the custody service
  CUSTODY_API_KEY    the viewer key, or CUSTODY_API_KEY_FILE, a file that holds it

Exit codes: 0 done, 1 failed, 2 bad arguments or configuration, such as an account that does not exist, unless --help
of a command says otherwise.

Without configuration:
  custody-mirror demo`;

export const commandNotes = {
  run: `
Applies migrations, takes the account's lease, mirrors by the SCHEDULE_… variables, and serves
pages, the read API, /healthz, /readyz and /metrics on HTTP_HOST:HTTP_PORT.
A second process for the same account stands by and takes over when the first one ends.
--check reads every variable, reports all faults, and starts nothing.

Exit codes: 0 after SIGTERM, SIGINT, SIGHUP or SIGQUIT, 1 failed. A second signal stops at once.`,
  serve: `
Needs only DATABASE_URL, which may point to a streaming replica, and uses the HTTP_… variables. The schema has to match
this version: run or migrate of this version updates it. An address without an account shows CUSTODY_ACCOUNT, or the
first account.`,
  sync: `
Applies migrations, then mirrors the named resources once, by default all of CUSTODY_RESOURCES. Naming a resource that
CUSTODY_RESOURCES leaves out is an error. Where a daemon writes for the account, it asks the daemon to do so, shows its
progress and ends with its result; Ctrl-C then leaves the daemon alone. Waits for the daemon at most twice LEASE_TTL_MS.
An empty list counts only when a run an hour later confirms it, because a service that has lost its data for a while
answers the same way. --empty trusts it at once, for an account that is known to hold nothing.

Exit codes: 0 everything synced, 1 something failed (what succeeded is kept),
3 the custody service rejected the key.

Example:
  custody-mirror sync balances vaults`,
  migrate: `
Needs only DATABASE_URL. Any number of processes may run it at once.

Exit codes: 0 up to date, 1 failed or, with --check, a migration is pending.`,
  grant: `
Needs only DATABASE_URL, as the user that owns the tables. The role may read the tables and views of custody and
reporting, including future ones, and runs, anomalies, quarantine, learned, leases and expectations of sync.
Nothing is ever revoked. It can be repeated at any time.
With --prices the role may read and write custody.asset_prices and nothing else; with --fee-rules, custody.fee_rules;
with both options, both. To let it read the mirror too, run grant again without them.
With --serve it is the role for DATABASE_URL of serve: it also reads the keys of the read API, and notes their use.

Exit codes: 0 granted, 1 failed.

Example:
  psql -c "CREATE ROLE analyst LOGIN PASSWORD '…'"
  custody-mirror grant analyst`,
  status: `
Needs DATABASE_URL, and CUSTODY_ACCOUNT if run uses it. Reads only the database, which also holds what run and sync
are configured to do. Terminals get colours; NO_COLOR=1 turns them off. --all shows every account of the database, and
is healthy if all of them are.

Exit codes: 0 healthy, 1 not healthy or not readable.`,
  doctor: `
Needs the same variables as run. Writes nothing, and sends at most five small requests to the custody service.

Exit codes: 0 the mirror has all it needs, 1 something has to be fixed.`,
  sandbox: `
Faults have the form kind[@endpoint][/phase]=rate, separated by commas; a rate is a share of the requests.
  err01=0.2                 a fifth of all answers are ERR-01
  all=0.2                   a fifth of all answers are transient faults of any kind
  reset@balances=0.05       connections reset, on one endpoint
  falseempty/offset=0.01    "no records found" where there are some
A misspelled kind prints the list of all kinds.`,
  demo: `
Keeps its PostgreSQL under .data/, and recreates a fictional account, prices and 90 days of history at each start.
SCHEDULE_TIMEZONE, such as Pacific/Auckland, sets the time zone of its pages; it reads no other variables but LOG_LEVEL
and LOG_FORMAT. Needs the development dependencies of a clone (npm ci). Stop it with Ctrl-C.`,
} as const;

/** For the commands of the sealed history. */
export const sealNotes = {
  init: `
Needs no configuration. The private key is written to the file only, which only its owner can read; the verifier key
goes to standard output. Set SEAL_KEY_FILE to the file, and run seals from then on.

Example:
  custody-mirror seal init /etc/custody-mirror/seal.key custody.example/acme`,
  export: `
Needs DATABASE_URL, and CUSTODY_ACCOUNT if run uses it. Writes checkpoint and tile/… by C2SP tlog-tiles.`,
  restart: `
Needs DATABASE_URL, CUSTODY_ACCOUNT if run uses it, SEAL_KEY_FILE with a key under a new name, and SEAL_CHECKPOINTS_FILE,
if used, with a new file. Stop every process of the account first. The new log begins at once, so that a process with
the old key is refused. The history itself is not touched.

Example, after a restore that sealing reported as SEAL-FORK:
  custody-mirror seal init /etc/custody-mirror/seal-2.key custody.example/acme-2
  SEAL_KEY_FILE=/etc/custody-mirror/seal-2.key SEAL_CHECKPOINTS_FILE=/mnt/elsewhere/checkpoints-2 \\
    custody-mirror seal restart /mnt/elsewhere/acme-1`,
  verify: `
Needs DATABASE_URL, and CUSTODY_ACCOUNT if run uses it, but no access to the service. Reads every row of the history
and recomputes the log. A file of checkpoints kept elsewhere also detects a database that was restored to an older
state. --row prints the proof of one row (C2SP tlog-proof), and its content on standard error. docs/audit.md describes
what is proved.

Exit codes: 0 intact, 1 not intact, 2 bad input: an unusable key or file, or no such row, 3 nothing was verified, such
as where the database could not be read, or a replica is behind the file.

Examples:
  custody-mirror verify --checkpoints /mnt/elsewhere/checkpoints --key custody.example/acme+5d1c…
  custody-mirror verify --row transaction_status_history 795d8712-0a2b-4ced-ad1a-67c831b7ccc3 2`,
} as const;

/** For the commands below `key`. */
export const keyNotes = {
  create: `
Needs only DATABASE_URL. Standard output gets only the key, for scripts; explanations go to standard error. The key is
shown only once: the database keeps its SHA-256 and its prefix. Programs send it as x-api-key, as a bearer token, or as
the password of any user.

Scopes, least first: metrics is /metrics; balances is balances, snapshots, prices, freshness and the list of accounts
in the API, and /custody/balances; custody is /custody; read is everything, pages included.

Examples:
  custody-mirror key create prometheus --scope metrics --from 10.0.3.7
  custody-mirror key create notebook --account default --scope balances --expires 90d
  custody-mirror key create nightly-export > export.key`,
  list: `
Needs only DATABASE_URL. The last use is accurate to about a minute.`,
  revoke: `
Needs only DATABASE_URL. The next request with the key is refused; a CSV download in progress is cut within seconds.
Revoking again changes nothing. A key cannot be restored: create a new one, which may have the same name.`,
} as const;

/** For the commands below `account`. */
export const accountNotes = {
  list: `
Needs only DATABASE_URL, as the user that owns the tables.`,
  retire: `
Needs only DATABASE_URL, as the user that owns the tables. Stop every process of the account first: it is refused while
one holds the lease, and one that starts later is refused. The history stays and reads as before; status, metrics and
alerts stop expecting updates.`,
  erase: `
Needs only DATABASE_URL, as the user that owns the tables. Stop every process of the account first: it is refused while
one holds the lease, and one that starts later mirrors the account again. Keep a dump if you may need the account.
An interrupted command is continued by the same command, a minute later if it was killed.

Example:
  custody-mirror account erase alpha --confirm alpha`,
} as const;
