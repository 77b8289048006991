// What --help adds to the list of options: where configuration comes from, exit codes, and an example each.

export const programNotes = `
Configuration comes from the environment; docs/configuration.md lists every variable. These are needed:
  DATABASE_URL       postgres://user:password@host:5432/database
  CUSTODY_BASE_URL   https://… of the custody service
  CUSTODY_API_KEY    the viewer key, or CUSTODY_API_KEY_FILE, a file that holds it

With nothing configured:
  custody-mirror demo`;

export const commandNotes = {
  run: `
Applies migrations, takes the account's lease, mirrors by the SCHEDULE_… variables, and serves
pages, the read API, /healthz, /readyz and /metrics on HTTP_HOST:HTTP_PORT.
A second process for the same account stands by and takes over when the first one ends.

Exit codes: 0 after SIGTERM or SIGINT, 1 failed, 2 bad configuration. A second signal stops at once.`,
  serve: `
Needs DATABASE_URL alone, which may be that of a streaming replica, and uses the HTTP_… variables. The schema has to be
that of this version: migrate, or run of this version, brings it there. An address that names no account shows that of
CUSTODY_ACCOUNT, or the first one.

Exit codes: 0 after SIGTERM or SIGINT, 1 failed, 2 bad configuration. A second signal stops at once.`,
  sync: `
Applies migrations, then mirrors once: what is named, or else everything that CUSTODY_RESOURCES lists. To name what
CUSTODY_RESOURCES leaves out is an error. Waits for the lease of another process, twice its time to live at most.
A list that is found empty is believed to be when a run an hour later finds the same, because a service that has lost
its data for a while answers alike. With --empty it is believed at once: for an account that is known to hold nothing.

Exit codes: 0 everything synced, 1 something failed (what succeeded is kept), 2 bad configuration,
3 the custody service rejected the key.

Example:
  custody-mirror sync balances vaults`,
  migrate: `
Needs DATABASE_URL alone. Any number of processes may do this at once.

Exit codes: 0 up to date, 1 failed, or with --check some migration is pending, 2 bad configuration.`,
  grant: `
Needs DATABASE_URL alone, of the user that owns the tables. The role may read the tables and views of custody
and reporting, also those to come, and runs, anomalies, quarantine, learned, leases and expectations of sync.
Nothing is ever revoked: what the role could do before beyond reading is told as a warning. May be repeated at any time.
With --prices the role reads and writes custody.asset_prices instead, with --fee-rules custody.fee_rules, with both
options both, and gets nothing else; a role that is to read the mirror as well is granted once more without them.
--check --prices tells whether it writes the prices and nothing else.

Exit codes: 0 granted, 1 failed, or with --check the role is not a reader and nothing else, 2 bad configuration.

Example:
  psql -c "CREATE ROLE analyst LOGIN PASSWORD '…'"
  custody-mirror grant analyst`,
  status: `
Needs DATABASE_URL, and CUSTODY_ACCOUNT where run has it. Asks the database only: what run and sync are configured
to do stands there. Colours are for terminals; NO_COLOR=1 removes them. --all tells every account of the database, and
is healthy where all of them are.

Exit codes: 0 healthy, 1 not healthy or not readable, 2 bad configuration.`,
  doctor: `
Needs the same variables as run. Writes nothing, and sends five small requests at most to the custody service.

Exit codes: 0 everything the mirror needs is there, 1 something has to be fixed.`,
  sandbox: `
Faults are written kind[@endpoint][/phase]=rate, separated by commas; a rate is a share of the requests.
  err01=0.2                 a fifth of all answers is ERR-01
  all=0.2                   a fifth of all answers is some transient fault
  reset@balances=0.05       connections reset, on one endpoint
  falseempty/offset=0.01    "no records found" where there are some
A misspelt kind is answered with the list of all of them.`,
  demo: `
Keeps its PostgreSQL under .data/, and makes account, prices and 90 days of history anew at each start; all of them are
made up. SCHEDULE_TIMEZONE, such as Pacific/Auckland, is the time zone of its pages; it takes no other variable but
LOG_LEVEL and LOG_FORMAT. Needs the development dependencies of a clone (npm ci). Stop it with Ctrl-C.`,
} as const;

/** For the commands of the sealed history. */
export const sealNotes = {
  init: `
Needs no configuration. The private key goes into the file alone, which only its owner can read; what verifies its
checkpoints goes to standard output. Name the file in SEAL_KEY_FILE, and run seals from then on.

Exit codes: 0 made, 1 failed, 2 the file exists or cannot be written, or the name cannot be one.

Example:
  custody-mirror seal init /etc/custody-mirror/seal.key custody.example/acme`,
  export: `
Needs DATABASE_URL, and CUSTODY_ACCOUNT where run has it. Writes checkpoint and tile/… as C2SP tlog-tiles says.

Exit codes: 0 written, 1 the stored log was changed, or failed, 2 nothing is sealed, or bad configuration.`,
  verify: `
Needs DATABASE_URL, and CUSTODY_ACCOUNT where run has it; of the service nothing. Reads every row of the history and
recomputes the log. A file of checkpoints from elsewhere also shows a database that was restored to an older state.
--row prints the proof of one row (C2SP tlog-proof). docs/audit.md tells what is proved.

Exit codes: 0 as it was sealed, 1 not, or the database could not be read, 2 bad input: a key or file that does not serve,
no such row.

Examples:
  custody-mirror verify --checkpoints /mnt/elsewhere/checkpoints --key custody.example/acme+5d1c…
  custody-mirror verify --row transaction_status_history 795d8712-0a2b-4ced-ad1a-67c831b7ccc3 2`,
} as const;

/** For the commands below `key`. */
export const keyNotes = {
  create: `
Needs DATABASE_URL alone. The key alone goes to standard output, so that a script can take it; the words go to
standard error. It is shown this once: the database keeps its SHA-256 and its prefix. Programs send it as x-api-key,
as a bearer token, or as the password of any user.

Exit codes: 0 made, 1 failed (a name in use, an unknown account, an expiry that has passed), 2 bad arguments or
configuration.

Examples:
  custody-mirror key create grafana --account default --expires 90d
  custody-mirror key create nightly-export > export.key`,
  list: `
Needs DATABASE_URL alone. The last use is exact to about a minute.

Exit codes: 0 listed, 1 failed, 2 bad configuration.`,
  revoke: `
Needs DATABASE_URL alone. The next request with the key is refused; a CSV under way is cut within seconds. Revoking again
changes nothing. A key never comes back: make a new one, which may have the same name.

Exit codes: 0 revoked, 1 failed, or there is no such key, 2 bad configuration.`,
} as const;
