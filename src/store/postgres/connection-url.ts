// Parses DATABASE_URL: its hosts, the TLS modes as psql understands them, and a name for the database without
// its password.
import pg from 'pg';
import { addressesOf } from '../../base/config/database-url.ts';
import { MirrorError } from '../../domain/errors.ts';

export interface Server {
  /** As the driver parses it, with one host. */
  readonly connectionString: string;
  /** Host, port and name of the database. */
  readonly target: string;
}

/**
 * The servers named by an address, in its order; at least one.
 *
 * @throws MirrorError `CONFIGURATION` if the address cannot be parsed
 */
export function serversOf(url: string): readonly [Server, ...Server[]] {
  const [first = url, ...others] = addressesOf(url);
  return [describe(first), ...others.map(describe)];
}

function describe(address: string): Server {
  const connectionString = withPsqlSslModes(address.replace(limitsOfSessions, '$1'));
  try {
    const { database, host, port } = new pg.Client({ connectionString });
    return { connectionString, target: `${database ?? ''} on ${host}:${port}` };
  } catch {
    // Without the cause: it may quote the URL, and with it the password.
    throw new MirrorError(
      'CONFIGURATION',
      'DATABASE_URL cannot be read: write postgres://user:password@host:port/database, and with sslmode=verify-ca or a certificate parameter, name files that exist',
    );
  }
}

/** Not for the mirror, which limits each transaction: a session with such a limit might never begin one. */
const limitsOfSessions =
  /([?&])(?:statement_timeout|query_timeout|lock_timeout|idle_in_transaction_session_timeout)=[^&]*/g;

/** The driver verifies certificates at every sslmode unless set to interpret the word as psql does. */
function withPsqlSslModes(url: string): string {
  // psql's `allow` tries without encryption first; the driver does not know the word.
  const allowed = url.replace(/([?&]sslmode=)allow(?=&|$)/, '$1disable');
  // The authorities that are trusted without a file; psql then takes no other sslmode than verify-full.
  const known = allowed.replace(/([?&])sslrootcert=system(?=&|$)/, '$1sslmode=verify-full');
  return /[?&]sslmode=/.test(known) && !/[?&]uselibpqcompat=/.test(known)
    ? `${known}&uselibpqcompat=true`
    : known;
}
