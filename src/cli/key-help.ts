// What --help adds for the commands below `key`.

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
