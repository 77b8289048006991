// Turns database errors into MirrorErrors that name the database and the fix, never the password, and
// classifies them by the driver's class and PostgreSQL's SQLSTATE, never by the words of a message.
import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { Late } from '../../base/waiting.ts';
import { MirrorError, type MirrorErrorCode } from '../../domain/errors.ts';
import { onOneLine } from '../../domain/words.ts';

interface Refusal {
  readonly code: MirrorErrorCode;
  readonly says: string;
  readonly fix: string;
}

const offline = (says: string, fix: string): Refusal => ({ code: 'DATABASE-UNREACHABLE', says, fix });
const refused = (says: string, fix: string): Refusal => ({ code: 'DATABASE-REFUSED', says, fix });
const restarting = offline('is shutting down or starting up', 'it is tried again when the database is back');
const lockHolders =
  'see which session or prepared transaction holds a lock: docs/operations.md, "When the database is slow", has the query';
const unmigrated: Refusal = {
  code: 'SCHEMA-MISSING',
  says: 'lacks tables of this version',
  fix: 'run custody-mirror migrate',
};

const bySqlState: Readonly<Record<string, Refusal>> = {
  '57P01': restarting,
  '57P02': restarting,
  '57P03': restarting,
  '57P05': offline('closed an idle connection', 'it is tried again'),
  '25P03': offline('ended a transaction that was idle too long', 'it is tried again'),
  '25P04': offline('ended a transaction that took too long', 'it is tried again'),
  '53300': offline(
    'has no connection left',
    'raise max_connections, or CONNECTION LIMIT of the role or database, or stop other clients',
  ),
  '28000': refused('did not let this user in', 'check user and pg_hba.conf'),
  '28P01': refused(
    'rejected the password',
    'check user and password in DATABASE_URL, or in the file that DATABASE_URL_FILE names',
  ),
  '3D000': refused('does not exist', 'create it, or check the name in DATABASE_URL'),
  '3F000': unmigrated,
  '42P01': unmigrated,
  '42703': unmigrated,
  '42501': refused('denied a privilege', 'grant it to the user in DATABASE_URL'),
  '25006': refused(
    'is on a read-only server, a standby or a former primary',
    'make DATABASE_URL lead to the primary; custody-mirror run connects again until it does',
  ),
  '53100': refused('has no disk space left', 'free space on the database server'),
  '53200': refused('is out of memory', 'give the database server more memory'),
  '58030': refused('reported an input or output error', 'look at the log of the database server'),
  '53400': refused('reached a limit of its own', 'raise it, such as temp_file_limit'),
  '57014': refused('took too long over a statement', `look for load on the server, and ${lockHolders}`),
  '55P03': refused('held a lock for too long', lockHolders),
};

const settingRefused = refused(
  'has a setting for this user that would change what is written or read',
  'a superuser takes it back with ALTER ROLE … RESET or ALTER DATABASE … RESET',
);

/** By the server routine that raised the error, for SQLSTATEs with several causes. */
const byRoutine: Readonly<Record<string, Refusal>> = {
  check_enable_rls: refused(
    'hides rows from this user by row security',
    'ALTER TABLE … DISABLE ROW LEVEL SECURITY, or connect as a role with BYPASSRLS',
  ),
  LockAcquireExtended: refused(
    'has no room for another lock',
    'end the session with very many (select pid, count(*) from pg_locks group by 1 order by 2 desc), or raise max_locks_per_transaction',
  ),
  set_config_option_ext: settingRefused,
  set_config_with_handle: settingRefused,
};

/** The SQLSTATE of the server's error in a chain of causes; null if there is none. */
export function sqlState(error: unknown): string | null {
  return refusalOf(error)?.code ?? null;
}

/** The server's own error, behind the errors that explain it. */
function refusalOf(error: unknown): pg.DatabaseError | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError) return cause;
  }
  return null;
}

/** True if the database is there, but takes no work now: no connection left, starting up, or too busy. */
export function isDatabaseBusy(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof Late) return true;
  return ['53300', '57P03'].includes(sqlState(error) ?? '');
}

/** True if the database is unreachable or restarting: a later attempt may succeed. */
export function isDatabaseOffline(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof MirrorError && cause.code === 'DATABASE-UNREACHABLE') return true;
  }
  return false;
}

/** A serialization failure or a deadlock: the whole transaction can be retried at once. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

/** A row of this key exists already. */
export function isKeyTaken(error: unknown): boolean {
  return sqlState(error) === '23505';
}

/**
 * The server ended a statement or the transaction because it took too long, waits for locks included, or too
 * much (`temp_file_limit`).
 */
export function isServerTimeout(error: unknown): boolean {
  return ['57014', '25P04', '53400'].includes(sqlState(error) ?? '');
}

/**
 * A prepared statement of the connection is missing, or an unknown one exists: there is another server
 * connection behind it. Or a migration changed the result of a prepared statement.
 */
export function isStatementLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state === '26000' || state === '42P05') return true;
  return state === '0A000' && refusalOf(error)?.routine === 'RevalidateCachedQuery';
}

const unknownAuthority = "name its authority's file with sslrootcert in DATABASE_URL";
const outOfDate = 'renew it, or set the clocks right';

/** By the error code of the certificate check. */
const certificateFixes: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  CERT_UNTRUSTED: unknownAuthority,
  CERT_HAS_EXPIRED: outOfDate,
  CERT_NOT_YET_VALID: outOfDate,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'it is for another name; write the host in DATABASE_URL as the certificate has it',
};

/** The driver's error has neither a class nor a code. */
const withoutTls = 'The server does not support SSL connections';

/** Explains a failure to connect: a refusal by the server, else the network or the host name. */
export function explainConnectError(error: unknown, target: string): Error {
  if (error instanceof MirrorError) return error;
  const explained = explainServerError(error, target, 'connect');
  if (explained !== null) return explained;
  const { code, says, fix } = connectRefusal(error);
  return new MirrorError(code, `database ${target} ${says}: ${fix}`, { cause: error });
}

function connectRefusal(error: unknown): Refusal {
  if (error instanceof Late)
    return offline(
      `accepted a connection and then did not answer (${error.message})`,
      'look at its load, and at what stands in between',
    );
  if (error instanceof pg.DatabaseError)
    return offline(
      `let nobody in, and said “${words(error)}” (${onOneLine(error.code ?? '')})`,
      'see its log, or that of the pooler before it',
    );
  const detail = connectDetail(error);
  const fix = certificateFixes[detail];
  if (fix !== undefined) return refused(`showed a certificate that is not accepted (${detail})`, fix);
  if (detail === withoutTls)
    return refused(
      'refused encryption, which sslmode in DATABASE_URL asks for',
      'turn TLS on in the server, or write sslmode=disable where the network may be trusted',
    );
  return offline(`cannot be reached (${detail})`, 'check that it runs and that DATABASE_URL names it');
}

/** Everything that the server says goes through this. */
const words = ({ message }: Error) => onOneLine(message);

function connectDetail(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return code ?? words(error);
}

/** Explains a failed statement. Bugs in this program pass unchanged. */
export function explainStatementError(error: unknown, target: string, label: string): Error {
  // The message of drizzle's error holds every parameter; that of its cause, the driver's error, does not.
  const cause = error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error)) return new Error(`statement ${label} failed`, { cause });
  if (cause instanceof MirrorError || cause instanceof TypeError || cause instanceof RangeError) return cause;
  if (!(cause instanceof pg.DatabaseError)) {
    return new MirrorError(
      'DATABASE-UNREACHABLE',
      `connection to database ${target} was lost: it is tried again when the database is back`,
      { cause },
    );
  }
  return (
    explainServerError(cause, target, label) ??
    new Error(`statement ${label} failed on database ${target}: ${words(cause)}`, { cause })
  );
}

function explainServerError(error: unknown, target: string, label: string): MirrorError | null {
  if (!(error instanceof pg.DatabaseError)) return null;
  const state = error.code ?? '';
  const refusal =
    byRoutine[error.routine ?? ''] ??
    bySqlState[state] ??
    (state.startsWith('08') && label !== 'connect'
      ? offline('broke the connection', 'it is tried again')
      : null);
  if (refusal === null) return null;
  const message = `database ${target} ${refusal.says} (${label}: ${words(error)}): ${refusal.fix}`;
  return new MirrorError(refusal.code, message, { cause: error });
}
