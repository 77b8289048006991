// Wakes readers that wait for changes of an account. One connection listens for all of them: it opens when
// a reader waits and closes after a while without readers. Where LISTEN is impossible (a pooler that lends
// connections for one transaction, a standby), and for rows that are not announced, the greatest number of
// each account that is waited for is looked up now and then.
import pg from 'pg';
import { parseAddress } from '../../base/config/database-url.ts';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/secret.ts';
import type { Server } from '../postgres/connection-url.ts';
import type { Database } from '../postgres/database.ts';
import { sqlState } from '../postgres/database-errors.ts';
import { chooseServers } from '../postgres/server-choice.ts';
import { readLastChange } from './changes.ts';

export interface ChangeSignal {
  /**
   * Calls back at each sign of a new change of the account, until the returned function is called. Signs may
   * be false, and one may stand for many changes.
   */
  watch(account: string, onSign: () => void): () => void;
  close(): Promise<void>;
}

export interface ChangeSignalOptions {
  readonly database: Database;
  /** Where to listen; null polls only. */
  readonly url: Secret | null;
  readonly logger: Logger;
  /** How often to poll. Default 2 seconds. */
  readonly lookEveryMs?: number;
}

/** How long the connection stays when nobody waits. */
const keepMs = 30_000;

export function openChangeSignal(options: ChangeSignalOptions): ChangeSignal {
  const { database, url, logger, lookEveryMs = 2_000 } = options;
  const watchers = new Map<string, Set<() => void>>();
  const wake = (account: string) => {
    for (const onSign of watchers.get(account) ?? []) onSign();
  };
  const listener = openListener(url, logger, wake);
  const looker = createLooker(database, logger, wake);
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let lastWatchedAt = 0;
  let closed = false;

  const tick = async () => {
    timer = null;
    looking = looker.look([...watchers.keys()]);
    await looking;
    if (watchers.size > 0) {
      lastWatchedAt = performance.now();
      listener.open();
    } else if (performance.now() - lastWatchedAt > keepMs) {
      await listener.rest();
    }
    schedule();
  };
  const schedule = () => {
    if (closed || timer !== null || (watchers.size === 0 && !listener.isOpen())) return;
    timer = setTimeout(() => void tick(), lookEveryMs);
    timer.unref();
  };
  return {
    watch(account, onSign) {
      const own = watchers.get(account) ?? new Set();
      // A new function, so that two watchers with one callback stay two.
      const sign = () => onSign();
      watchers.set(account, own.add(sign));
      listener.open();
      schedule();
      return () => {
        own.delete(sign);
        if (own.size > 0 || watchers.get(account) !== own) return;
        watchers.delete(account);
        looker.forget(account);
      };
    },
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      await looking;
      await listener.rest();
    },
  };
}

interface Looker {
  look(accounts: readonly string[]): Promise<void>;
  forget(account: string): void;
}

/** Wakes the watchers of an account whose greatest number has changed since the last poll. */
function createLooker(database: Database, logger: Logger, wake: (account: string) => void): Looker {
  const lastSeen = new Map<string, number>();
  return {
    async look(accounts) {
      for (const account of accounts) {
        try {
          const last = await database.transact('look-for-changes', (tx) => readLastChange(tx, account));
          if (lastSeen.get(account) !== last) wake(account);
          lastSeen.set(account, last);
        } catch (error) {
          logger.debug({ err: error }, 'looking for changes failed');
        }
      }
    },
    forget(account) {
      lastSeen.delete(account);
    },
  };
}

interface Listener {
  /** Opens the connection unless it is open or was refused a short time ago. */
  open(): void;
  isOpen(): boolean;
  rest(): Promise<void>;
}

/** How long to wait before retrying a server that refused to listen or dropped the connection. */
const pauseMs = 5_000;

function openListener(url: Secret | null, logger: Logger, wake: (account: string) => void): Listener {
  let client: pg.Client | null = null;
  let notBefore = url === null ? Number.POSITIVE_INFINITY : 0;
  const servers = url === null ? null : chooseServers(url, false);
  const drop = (broken: pg.Client, { pause = pauseMs } = {}) => {
    if (client !== broken) return;
    client = null;
    notBefore = performance.now() + pause;
  };
  const fail = (broken: pg.Client, server: Server, error: unknown) => {
    logger.debug({ err: error }, 'listening for changes failed');
    if (error instanceof Pooled || sqlState(error) === protocolViolation) {
      drop(broken, { pause: Number.POSITIVE_INFINITY });
      logger.warn(
        'a connection pooler is in front of the database: changes are looked up instead of listened for',
      );
    } else if (servers?.renew(server, error)) {
      drop(broken, { pause: 0 });
    } else {
      // A standby does not support LISTEN.
      servers?.passOver(server);
      drop(broken);
    }
  };
  return {
    open() {
      if (servers === null || client !== null || performance.now() < notBefore) return;
      const server = servers.current;
      const opened = new pg.Client({
        connectionString: withMark(server.connectionString),
        application_name: 'custody-mirror api listen',
        connectionTimeoutMillis: 10_000,
        query_timeout: 10_000,
        keepAlive: true,
      });
      client = opened;
      opened.on('error', () => drop(opened));
      opened.on('end', () => drop(opened));
      opened.on('notification', ({ payload }) => {
        const account = accountOf(payload);
        if (account !== null) wake(account);
      });
      listen(opened)
        .catch((error: unknown) => {
          fail(opened, server, error);
          return opened.end();
        })
        .catch(() => undefined);
    },
    isOpen: () => client !== null,
    async rest() {
      const open = client;
      client = null;
      await open?.end().catch(() => undefined);
    },
  };
}

/** A pooler lends a server connection to others, and would leave it subscribed. */
class Pooled extends Error {}

/** The answer of a pooler to a connection with settings of its own. */
const protocolViolation = '08P01';

/**
 * Gives the connection a setting, which the server has if it is the one that answers. A pooler opens server
 * connections of its own: it refuses the setting, or ignores it.
 */
function withMark(connectionString: string): string {
  const address = parseAddress(connectionString);
  if (address === null) return connectionString;
  const given = address.searchParams.get('options') ?? '';
  address.searchParams.set('options', `${given} -c custody_mirror.listens=on`);
  return address.href;
}

/** @throws Pooled */
async function listen(client: pg.Client): Promise<void> {
  await client.connect();
  const { rows } = await client.query<{ mark: string | null }>(
    "select pg_catalog.current_setting('custody_mirror.listens', true) as mark",
  );
  if (rows[0]?.mark !== 'on') throw new Pooled('the server does not have the setting of the connection');
  await client.query('listen custody_events');
}

/** Every role that can connect can notify, so the payload is checked. */
function accountOf(payload: string | undefined): string | null {
  try {
    const event: unknown = JSON.parse(payload ?? '');
    if (typeof event !== 'object' || event === null || !('account_id' in event)) return null;
    return typeof event.account_id === 'string' ? event.account_id : null;
  } catch {
    return null;
  }
}
