// Chooses the server of the next connection, and decides whether to accept one that was reached: a writing
// process accepts only servers that take writes, and leaves its server when the address leads to another.
import pg from 'pg';
import { addressesOf, asksForWrites, parseAddress, weakModeFault } from '../../base/config/database-url.ts';
import type { Secret } from '../../base/secret.ts';
import { errorCode, MirrorError } from '../../domain/errors.ts';
import { onOneLine } from '../../domain/words.ts';
import { sqlState } from './database-errors.ts';

// Parses DATABASE_URL: its hosts, the TLS modes as psql understands them, and a name for the database without
// its password.

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
  try {
    const parsed = parseAddress(address);
    const weak = parsed === null ? null : weakModeFault(parsed);
    // The configuration refuses it; this address may have been read from its file again.
    if (weak !== null) throw new MirrorError('CONFIGURATION', `DATABASE_URL: ${onOneLine(weak)}`);
    const connectionString = withPsqlSslModes(address.replace(limitsOfSessions, '$1'));
    const { database, host, port } = new pg.Client({ connectionString });
    return { connectionString, target: `${database ?? ''} on ${host}:${port}` };
  } catch (error) {
    if (error instanceof MirrorError) throw error;
    const isOfFile = error instanceof Error && 'path' in error;
    // Without the cause, which may quote the URL and with it the password.
    throw new MirrorError(
      'CONFIGURATION',
      isOfFile
        ? `DATABASE_URL: the certificate file ${onOneLine(String(error.path))} cannot be read (${errorCode(error)}): name one that this user can read, in sslrootcert, sslcert and sslkey`
        : 'DATABASE_URL cannot be read: write postgres://user:password@host:port/database, and with sslmode=verify-ca an sslrootcert',
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
  // The authorities that are trusted without a file.
  const known = allowed.replace(/([?&])sslrootcert=system(?=&|$)/, '$1sslmode=verify-full');
  return /[?&]sslmode=/.test(known) && !/[?&]uselibpqcompat=/.test(known)
    ? `${known}&uselibpqcompat=true`
    : known;
}

/** Servers may store passwords with more iterations than the driver's 100,000; ten million take seconds. */
const patience = { scramMaxIterations: 10_000_000 };

/** Every connection is made of it, so that all of them log in alike. */
export class Client extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, ...patience });
  }
}

export interface ServerChoice {
  /** All of them, for messages. */
  readonly target: string;
  readonly count: number;
  readonly current: Server;
  /**
   * Where the server rejected user or password, reads the address from its file again, if it has one.
   *
   * @param error why no connection was opened
   * @returns whether there are others to try by now, for the same database
   */
  renew(server: Server, error: unknown): boolean;
  /** Moves on to the next server, unless another attempt already has. */
  passOver(server: Server): void;
  /**
   * Identifies the server of a new connection.
   *
   * @returns whether it is another server than the one accepted last
   * @throws MirrorError `DATABASE-UNREACHABLE` for a server that must take writes and does not
   */
  accept(client: pg.ClientBase, server: Server): Promise<boolean>;
}

/** @throws MirrorError `CONFIGURATION` for an invalid URL */
export function chooseServers(url: Secret, takesWrites: boolean): ServerChoice {
  const initial = serversOf(url.reveal());
  let servers: readonly Server[] = initial;
  const mustWrite = takesWrites || asksForWrites(url.reveal());
  let current: Server = initial[0];
  let history: History | null = null;
  return {
    target: targetsOf(servers),
    get count() {
      return servers.length;
    },
    get current() {
      return current;
    },
    renew(server, error) {
      if (!['28000', '28P01'].includes(sqlState(error) ?? '')) return false;
      url.readAgain();
      const next = serversIfValid(url.reveal());
      const isSame = next.every(
        ({ connectionString }, at) => connectionString === servers[at]?.connectionString,
      );
      // Another database needs a new start, which migrates it and binds the account.
      if (!isSame && targetsOf(next) === targetsOf(servers)) {
        servers = next;
        current = servers[0] ?? current;
      }
      return !servers.includes(server);
    },
    passOver(server) {
      if (server === current) current = servers[(servers.indexOf(server) + 1) % servers.length] ?? current;
    },
    async accept(client, { target }) {
      if (!mustWrite) return false;
      if (await isReadOnly(client)) throw readOnlyServer(target);
      const last = history;
      const found = await readHistory(client);
      if (found === null) return false;
      const isSameCluster = found.system === last?.system;
      if (isSameCluster && found.timeline < last.timeline) throw formerPrimary(target, found, last);
      history = found;
      return last !== null && !(isSameCluster && found.timeline === last.timeline);
    },
  };
}

const targetsOf = (servers: readonly Server[]) => servers.map(({ target }) => target).join(', ');

/** @returns none for an unusable address, such as one that names a file that is not there yet */
function serversIfValid(url: string): readonly Server[] {
  try {
    return serversOf(url);
  } catch {
    return [];
  }
}

async function isReadOnly(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(
    "select pg_catalog.current_setting('transaction_read_only') operator(pg_catalog.=) 'on' as answer",
  );
  return rows[0]?.answer !== false;
}

/** The cluster of a server, and its timeline there, which grows with each promotion. */
interface History {
  readonly system: string;
  readonly timeline: number;
}

/** Null if the server does not report it, or the role may not ask. */
async function readHistory(client: pg.ClientBase): Promise<History | null> {
  const question = `select system_identifier::pg_catalog.text as system,
    ('x' operator(pg_catalog.||) pg_catalog.left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8))::bit(32)::integer
      as timeline from pg_catalog.pg_control_system()`;
  const answer = await client.query<History>(question).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError) return null;
    throw error;
  });
  return answer?.rows[0] ?? null;
}

/** Why a server takes no writes, and the fix. */
export const readOnlyFix =
  'it is a standby or a former primary, or default_transaction_read_only is on; correct DATABASE_URL, name all hosts with target_session_attrs=read-write, or turn that setting off';

function readOnlyServer(target: string): MirrorError {
  return new MirrorError('DATABASE-UNREACHABLE', `database ${target} is read-only: ${readOnlyFix}`);
}

function formerPrimary(target: string, found: History, last: History): MirrorError {
  return new MirrorError(
    'DATABASE-UNREACHABLE',
    `database ${target} is on a former primary (timeline ${found.timeline}, after ${last.timeline}): make DATABASE_URL lead to the primary, or restart custody-mirror if this server was restored on purpose`,
  );
}
