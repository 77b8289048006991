// Reads the address in DATABASE_URL: the TLS modes in psql's meaning, and a name for the database without its
// password.
import pg from 'pg';
import { MirrorError } from '../../domain/errors.ts';

/** The driver verifies certificates at every sslmode, unless it is told to read the word as psql does. */
export function withPsqlSslModes(url: string): string {
  // psql's `allow` tries without encryption first; the driver does not know the word.
  const known = url.replace(/([?&]sslmode=)allow(?=&|$)/, '$1disable');
  return /[?&]sslmode=/.test(known) && !/[?&]uselibpqcompat=/.test(known)
    ? `${known}&uselibpqcompat=true`
    : known;
}

/** @throws MirrorError `CONFIGURATION` when the address cannot be read */
export function describeTarget(connectionString: string): string {
  try {
    const { database, host, port } = new pg.Client({ connectionString });
    return `${database ?? ''} on ${host}:${port}`;
  } catch {
    // Without the cause: it may quote the URL, and with it the password.
    throw new MirrorError(
      'CONFIGURATION',
      'DATABASE_URL cannot be read: write postgres://user:password@host:port/database, and with sslmode=verify-ca or a certificate parameter, name files that exist',
    );
  }
}
