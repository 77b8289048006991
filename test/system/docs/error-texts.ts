// What docs/errors.md says of each code. No command shows these texts: the fixes that commands show are in
// src/domain/errors.ts.
import { clientFixes, type MirrorErrorCode, serviceFixes } from '../../../src/domain/errors.ts';

/** In Markdown. */
export interface CodeText {
  readonly meaning: string;
  readonly fix: string;
}

/** The mirror's own failures. */
export const mirrorErrors: Readonly<Record<MirrorErrorCode, CodeText>> = {
  CONFIGURATION: {
    meaning:
      'A variable is missing or wrong, an argument of `key` or `account` or an option of `sandbox` is wrong, `sync` names a resource that `CUSTODY_RESOURCES` leaves out, or the HTTP port is unavailable.',
    fix: 'the message names each variable, argument or option; [configuration.md](configuration.md) lists the variables',
  },
  'DATABASE-UNREACHABLE': {
    meaning:
      'PostgreSQL did not answer, is restarting, or has no free connection; or a process that must write reached a standby, a former primary or a read-only server.',
    fix: 'check that it is running and that `DATABASE_URL` points to it; a running daemon retries until it is back',
  },
  'DATABASE-REFUSED': {
    meaning:
      'PostgreSQL refused the mirror: wrong password, missing database or privilege, certificate, a write in read-only mode, full disk, or a lock held too long.',
    fix: 'the message says which of these, and what to do',
  },
  'SCHEMA-MISSING': {
    meaning: 'Tables are missing or outdated.',
    fix: 'run `custody-mirror migrate`',
  },
  'SCHEMA-NEWER': {
    meaning:
      'A newer version migrated this database. A running daemon stops as well, and writes nothing more.',
    fix: 'run that version or a later one ([upgrades](operations.md#upgrades))',
  },
  'ROLE-UNUSABLE': {
    meaning:
      '`grant` cannot make this role a reader: it does not exist, owns the mirror, is a superuser, or is a member of such a role.',
    fix: "the message says which; `CREATE ROLE analyst LOGIN PASSWORD '…'` makes a role that can be a reader",
  },
  'KEY-UNUSABLE': {
    meaning:
      '`key create` or `key revoke` failed: the name is taken, the expiry has passed, or there is no such key.',
    fix: 'the message says which; `custody-mirror key list` shows every key',
  },
  'ACCOUNT-BOUND-ELSEWHERE': {
    meaning: 'This account was mirrored from another base address.',
    fix: 'correct `CUSTODY_BASE_URL`, or choose another `CUSTODY_ACCOUNT`; if the service moved, [move the account](operations.md#when-the-service-moves)',
  },
  'ACCOUNT-RETIRED': {
    meaning: 'The account is [retired](operations.md#retiring-an-account): nothing is mirrored of it.',
    fix: 'stop the process; `account retire --undo` lets the account be mirrored again',
  },
  'ACCOUNT-MISSING': {
    meaning:
      'The database under a running daemon does not know its account, and nobody erased it: it was dropped and made again. The daemon writes nothing and ends.',
    fix: 'start it again: it mirrors the account anew; if the database should hold the account, [restore](restore.md) it first',
  },
  'LEASE-HELD': {
    meaning:
      'Another process still writes for the account, or a transaction of a process that is gone still locks the lease. It did not answer `sync`, or it keeps `account erase` or `account retire` from running.',
    fix: 'the message says which: stop that process or let it do the work; end that transaction or wait',
  },
  'LEASE-LOST': {
    meaning:
      'The process was paused or cut off from the database for longer than `LEASE_TTL_MS`, or another process took over. It wrote nothing more, and its run is `abandoned`.',
    fix: "nothing: the daemon takes the lease again; if it recurs, look at the database's load, or raise `LEASE_TTL_MS`",
  },
  'JOB-STALLED': {
    meaning:
      'A run, sealing, a verification on schedule or the daemon itself made no progress for far longer than its timeouts allow: no answer, no statement, no permit from the limiter. It was aborted and writes nothing more; the process ends with 1.',
    fix: 'nothing: what started the process starts it again; if it recurs, report it with the log, because a timeout should have ended the wait; `CUSTODY_TIMEOUT_MS` and `CUSTODY_RETRY_MAX_MS` decide how long is [far longer](operations.md#when-a-run-makes-no-progress)',
  },
  'LIST-UNSTEADY': {
    meaning:
      'A list of balances, vaults or whitelist entries could not be read whole in three walks; or it is empty although the mirror has records of it (two runs an hour apart have to find it empty); or it may have been cut to one page, or holds more than 16 MiB. Nothing was written for it.',
    fix: 'nothing: the next run tries again; the message says what was in doubt',
  },
  'SEAL-FORK': {
    meaning:
      'The log of the sealed history does not continue a signed checkpoint: the database was restored to an older state, or its log was changed. Sealing stops; mirroring continues.',
    fix: 'see [when sealing stops](audit.md#when-sealing-stops)',
  },
  'SEAL-REFUSED': {
    meaning:
      'The history cannot be sealed with this key or into this file (the key belongs to another log, or `SEAL_CHECKPOINTS_FILE` is missing, cannot be written or holds something else), or the database could [show other rows than it holds](audit.md#what-a-databases-owner-may-bend), so that its rows prove nothing.',
    fix: 'the message says which; mirroring continues, and the next run seals or verifies the rest',
  },
  'HISTORY-ALTERED': {
    meaning: 'A verification on schedule found something that is not as it was sealed.',
    fix: 'see [when a row was changed](audit.md#when-a-row-was-changed)',
  },
  'DEVELOPMENT-ONLY': {
    meaning: 'The demo needs a development dependency that is not installed, or that this platform lacks.',
    fix: 'run `npm ci` in a clone',
  },
};

const serviceMeanings: Readonly<Record<keyof typeof serviceFixes, string>> = {
  'ERR-00': 'The service reports an invalid or missing parameter.',
  'ERR-01': 'The service failed, even after all retries.',
  'ERR-02':
    'The service rejected the key. The daemon stops requests to that endpoint and retries after a minute, then less and less often, at least every 15 minutes. Where `CUSTODY_API_KEY_FILE` names the key, it reads the file again, so a new key needs no restart.',
  'ERR-03': 'The service kept refusing the request rate until the request was abandoned.',
  'VAL-00': 'The service does not accept a vault type.',
  'VAL-01': 'No vaults were found.',
  'VAL-02': 'No vault has this id.',
  'BAL-00': 'No balances were found.',
  'BAL-01': 'No balances of this vault type were found.',
  'BAL-02': 'The service does not accept a vault type.',
  'TXN-00': 'The service does not accept a transaction type.',
  'TXN-01': 'The service does not accept a status.',
  'TXN-02': 'No transactions were found.',
  'TXN-03': 'The service does not accept a range of dates.',
  'TXN-04': 'No transaction has this id.',
  'WHT-00': 'No whitelist entries were found.',
  'WHT-01': 'The service does not accept a value.',
};

const clientMeanings: Readonly<Record<keyof typeof clientFixes, string>> = {
  TIMEOUT: 'No complete answer arrived within `CUSTODY_TIMEOUT_MS`, even after all retries.',
  NETWORK:
    'The service could not be reached, or its answer could not be unpacked (only gzip is asked for), even after all retries.',
  PROXY:
    'The proxy that `HTTPS_PROXY` or `HTTP_PROXY` names could not be reached, or opened no tunnel to the service. A refusal (HTTP 4xx) ends the run at once, and after HTTP 407 the password is sent again only after a minute, then at growing intervals up to a quarter of an hour, so that no user is locked out; any other failure is tried again first.',
  CERTIFICATE:
    "The service's certificate is untrusted, expired, or for another name. The run does not retry.",
  'BAD-BODY':
    "The answer is not the documented JSON, perhaps a proxy's login page, or it belongs to another request.",
  'BODY-TOO-LARGE':
    'The answer is larger than 16 MiB, or holds more than 100,000 records or 700,000 members. A page of transactions is read with a lower limit.',
  'HTTP-401':
    'The service rejected the key with an undocumented code or none. The same applies as for `ERR-02`.',
  'HTTP-404': 'There is nothing at that path.',
  REDIRECT: 'The service redirects to another origin, or more than three times.',
  'BAD-ID': 'An identifier from the service cannot be part of a path, so the record cannot be read by id.',
};

/** Codes of the service. */
export const serviceErrors = withFixes(serviceMeanings, serviceFixes);
/** Faults of an answer or of the connection. */
export const clientErrors = withFixes(clientMeanings, clientFixes);

/** Codes that cannot be listed one by one. */
export const otherCodes: Readonly<Record<string, CodeText>> = {
  'HTTP-…': {
    meaning:
      'The service answered with this HTTP status and no code. 429 counts as `ERR-03`; 408, 425 and 5xx are retried.',
    fix: 'the next run resumes; if it persists, check that `CUSTODY_BASE_URL` is the service itself',
  },
  'another code of the service': {
    meaning: 'An undocumented code. The HTTP status decides what it means.',
    fix: serviceFixes['ERR-00'],
  },
  STOPPED: {
    meaning: 'A stop interrupted the run. It is `abandoned`, and the next run resumes it.',
    fix: 'nothing',
  },
  'five characters, such as `23505`, or a name such as `ENOENT`': {
    meaning: 'An SQLSTATE of PostgreSQL, or a code of Node.js, that no code above explains.',
    fix: 'a fault of the program: report it with the log',
  },
  UNEXPECTED: { meaning: 'A fault without a code.', fix: 'report it with the log' },
};

function withFixes<Code extends string>(
  meanings: Readonly<Record<Code, string>>,
  fixes: Readonly<Record<Code, string>>,
): Readonly<Record<string, CodeText>> {
  const codes = Object.keys(meanings) as Code[];
  return Object.fromEntries(codes.map((code) => [code, { meaning: meanings[code], fix: fixes[code] }]));
}
