// A mirror whose every observation is written down a second time, outside the database: what the world held
// when a job read it, and when. The engine works on the real clock; right after each job, whatever it wrote
// is moved to the moment that the test names, as if the job had run then. So a test of seconds covers months,
// and knows every moment to the microsecond.
import { expect } from 'vitest';
import type { SandboxOptions } from '../../../packages/sandbox/src/options.ts';
import type {
  BalanceRecord,
  TransactionRecord,
  VaultRecord,
  WhitelistRecord,
} from '../../../packages/sandbox/src/world/records.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import type { JobOutcome } from '../../../src/sync/run/run-job.ts';
import type { TestDatabase } from '../../support/database.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';
import { isoOf, type Micros, micros } from './zones.ts';

export const vaultTypes = ['all', 'warm', 'cold'] as const;
export type Type = (typeof vaultTypes)[number];

export interface TransactionReading {
  readonly at: Micros;
  readonly records: ReadonlyMap<string, TransactionRecord>;
}

export interface BalanceReading {
  readonly at: Micros;
  /** What could be read. A vault type that could not be observed is left out. */
  readonly lists: ReadonlyMap<Type, readonly BalanceRecord[]>;
  /** When it was asked for and answered; left out where both are `at`. */
  readonly bounds?: ReadonlyMap<Type, Bounds>;
  /** What stood in the lists and could not be read; left out for nothing. */
  readonly unreadable?: ReadonlyMap<Type, Unreadable>;
}

export interface Bounds {
  readonly askedAt: Micros;
  readonly answeredAt: Micros;
}

export interface Unreadable {
  /**
   * Records of which it could be read which balance they are; an empty network stands for any of the asset.
   */
  readonly named: readonly Pick<BalanceRecord, 'assetId' | 'networkId'>[];
  /** Whether there were others. */
  readonly unidentified: boolean;
}

export interface DocumentReading<Document> {
  readonly at: Micros;
  readonly documents: readonly Document[];
}

export interface FeeRule {
  readonly networkId: string;
  /** Null for every type. */
  readonly transactionType: string | null;
  readonly assetId: string;
  /** When a person stated it, and took it back or stated another; null while it holds. */
  readonly knownFrom: Micros;
  readonly knownUntil: Micros | null;
}

export interface Observed {
  readonly mirror: Mirror;
  readonly account: string;
  /** When the account was bound: the first day of its calendar. */
  readonly boundAt: Micros;
  /** Every sweep of transactions, in order. */
  readonly transactions: TransactionReading[];
  readonly balances: BalanceReading[];
  readonly vaults: DocumentReading<VaultRecord>[];
  readonly whitelist: DocumentReading<WhitelistRecord>[];
  /** What a person stated of fees. */
  readonly feeRules: FeeRule[];
  readTransactions(iso: string): Promise<JobOutcome>;
  readBalances(iso: string): Promise<JobOutcome>;
  readDocuments(iso: string): Promise<void>;
  /** Moves what was written since to a moment. */
  moveTo(iso: string): Promise<void>;
}

export interface ObserveOptions {
  readonly account?: string;
  readonly database?: TestDatabase;
}

/** Everything before is where a test put it; everything after was just written. */
const untouched = '2026-01-01 00:00:00+00';

export async function observe(
  boundAt: string,
  options: SandboxOptions = {},
  { account = 'default', database }: ObserveOptions = {},
): Promise<Observed> {
  const mirror = await openMirror(
    options,
    { CUSTODY_ACCOUNT: account, CUSTODY_PAGE_SIZE: '200' },
    {},
    database,
  );
  const { sandbox } = mirror;
  expect(Date.now()).toBeGreaterThan(Date.parse(untouched));
  const move = await mover(mirror, account);
  await move(boundAt);
  const transactions: TransactionReading[] = [];
  const balances: BalanceReading[] = [];
  const vaults: DocumentReading<VaultRecord>[] = [];
  const whitelist: DocumentReading<WhitelistRecord>[] = [];
  return {
    mirror,
    account,
    boundAt: micros(boundAt),
    transactions,
    balances,
    vaults,
    whitelist,
    feeRules: [],
    moveTo: move,
    async readTransactions(iso) {
      const outcome = await syncTransactions(mirror.context, { full: true });
      await move(iso);
      if (outcome.status === 'succeeded') {
        expect(outcome).toMatchObject({ verified: true });
        const records = [...sandbox.world.transactions()];
        transactions.push({
          at: micros(iso),
          records: new Map(records.map((record) => [record.transactionId, record])),
        });
      }
      return outcome;
    },
    async readBalances(iso) {
      const outcome = await snapshotBalances(mirror.context);
      await move(iso);
      const kept = await mirror.query<{ vault_type: Type }>(
        'select vault_type from custody.balance_snapshots where account_id = $1 and snapshot_at = $2',
        [account, iso],
      );
      const lists = kept.map(({ vault_type: type }) => [type, sandbox.world.balances(type)] as const);
      balances.push({ at: micros(iso), lists: new Map(lists) });
      return outcome;
    },
    async readDocuments(iso) {
      expect(await mirrorVaults(mirror.context)).toMatchObject({ status: 'succeeded', verified: true });
      expect(await mirrorWhitelist(mirror.context)).toMatchObject({ status: 'succeeded', verified: true });
      await move(iso);
      vaults.push({ at: micros(iso), documents: sandbox.world.vaults() });
      whitelist.push({ at: micros(iso), documents: sandbox.world.whitelist() });
    },
  };
}

/**
 * History refuses changes and balances refer to snapshots, so the triggers are off while moments are moved.
 */
async function mover(database: TestDatabase, account: string): Promise<(iso: string) => Promise<void>> {
  const moments = await database.query<{ relation: string; columns: string[] }>(
    `select format('%I.%I', table_schema, table_name) as relation, array_agg(quote_ident(column_name::text)) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('custody', 'sync') and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'
       and table_name not in ('leases', 'asset_prices', 'api_keys') and column_name <> 'source_timestamp'
     group by 1`,
  );
  return async (iso) => {
    const at = `timestamptz '${isoOf(micros(iso))}'`;
    const updates = moments.map(({ relation, columns }) => {
      const moved = columns.map(
        (column) => `${column} = case when ${column} >= '${untouched}' then ${at} else ${column} end`,
      );
      const found = columns.map((column) => `${column} >= '${untouched}'`);
      return `update ${relation} set ${moved.join(', ')} where account_id = '${account}' and (${found.join(' or ')});`;
    });
    await database.query(
      `begin; set local session_replication_role = replica; ${updates.join('\n')}
       update custody.transaction_revisions set after = after || jsonb_build_object('missing_since', observed_at)
       where account_id = '${account}' and after ->> 'missing_since' >= '2026'; commit;`,
    );
  };
}
