// An upgrade beside a daemon that writes: a later version, which is this one with one migration more, is
// started while this one mirrors a list that moves; and this one beside the version that was released last.
// The older one steps down and writes nothing to the newer tables, and nothing is lost.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { migrationsFolder } from '../../../src/store/schema/migrations.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, type Service, serveSandbox } from '../../support/command.ts';
import { leaseHolder, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { laterVersion } from '../../support/later-version.ts';
import { installVersion } from '../../support/postgres.ts';
import { startProcess } from '../../support/process.ts';
import { mirrored, truth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Notes the lease's token at the migration, and under which each later row was written. */
const laterMigration = `
  alter table custody.transactions add column later text not null default 'unknown';
  create schema audit;
  create table audit.migrated as select token from sync.leases;
  create table audit.written (relation text, token bigint);
  create function audit.write() returns trigger language plpgsql as $$ begin
    insert into audit.written select tg_table_name, token from sync.leases where account_id = new.account_id;
    return null; end $$;
  create trigger audit after insert or update on custody.transactions for each row execute function audit.write();
  create trigger audit after insert on custody.transaction_status_history for each row execute function audit.write();
  create trigger audit after insert on custody.balance_snapshots for each row execute function audit.write();
  create trigger audit after insert or update on sync.runs for each row execute function audit.write();`;

const hurried = {
  SCHEDULE_TRANSACTIONS: '* * * * * *',
  SCHEDULE_BALANCES: '* * * * * *',
  SCHEDULE_DOCUMENTS: '* * * * * *',
  CUSTODY_RATE_LIMIT: 'off',
  LEASE_TTL_MS: '10000',
};

const mirrorOf = (service: Service, database: TestDatabase) => async () =>
  isDeepStrictEqual(await mirrored(database), truth(service.sandbox));

/**
 * Something happens at every moment, so that the older one has something to write in whatever moment the
 * other comes. @returns a function that ends it
 */
function letMove({ sandbox: { world } }: Service): () => void {
  const moving = setInterval(() => void world.insertTransaction('head', { status: 'pending' }), 20);
  onCleanup(async () => clearInterval(moving));
  return () => clearInterval(moving);
}

/** Every history of a status is one chain. */
async function expectChains(database: TestDatabase): Promise<void> {
  const broken = await database.query(`
    select from (
      select sequence, from_status, row_number() over w as expected, lag(to_status) over w as before
      from custody.transaction_status_history window w as (partition by transaction_id order by sequence)
    ) h where sequence <> expected or from_status is distinct from before`);
  expect(broken).toEqual([]);
}

longTest(
  'a later version migrates beside a daemon that writes, which steps down, and nothing is lost or written twice',
  async () => {
    const program = laterVersion(laterMigration);
    const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
    const older = await startDaemon(service, database);
    await untilWriter(database, older);
    const mirrors = mirrorOf(service, database);
    await waitFor(mirrors, { what: 'the first mirror' });

    const stopMoving = letMove(service);
    const newer = startProcess(['run'], { env: environment(service, database, hurried), program });
    await newer.output(/"migrations":\["9999_later"\][^\n]*"msg":"migrations applied"/);
    expect(await older.exit(20_000)).toEqual({ code: 1, signal: null });
    expect(older.stderr()).toMatch(/\(SCHEMA-NEWER\)\n$/);
    await untilWriter(database, newer);
    stopMoving();
    await waitFor(mirrors, { what: 'everything that happened meanwhile' });

    const [audit] = await database.query<{ rows: number; by_older: number }>(`
    select count(*)::int as rows, count(*) filter (where w.token <= m.token)::int as by_older
    from audit.written w cross join audit.migrated m`);
    expect(audit?.rows).toBeGreaterThan(0);
    expect(audit?.by_older).toBe(0);
    await expectChains(database);
    await stopGracefully(newer);
    expect(await leaseHolder(database)).toBeNull();
    expect(await database.query("select from sync.runs where status = 'running'")).toEqual([]);
  },
  120_000,
);

/** Named by `npm run release -- --published <version>`. */
const isReleased = existsSync(join(migrationsFolder(), '../test/system/versions/released'));

longTest(
  'this version takes over from the one that was released last, and keeps every row of its histories',
  async () => {
    const program = join(installVersion('released'), 'node_modules/custody-mirror/dist/src/cli/main.js');
    const [service, database] = await Promise.all([serveSandbox(), testDatabase({ empty: true })]);
    const env = environment(service, database, hurried);
    const older = startProcess(['run'], { env, program });
    await older.output(/"msg":"lease acquired"/);
    const mirrors = mirrorOf(service, database);
    await waitFor(mirrors, { what: 'the first mirror' });
    const history = () =>
      database.query(`select transaction_id, sequence, from_status, to_status, observed_at
        from custody.transaction_status_history order by 1, 2`);
    const kept = await history();

    const stopMoving = letMove(service);
    const newer = startProcess(['run'], { env });
    await newer.output(/"msg":"daemon started"/);
    // A version may bring no migration; then the older one writes until it is stopped.
    if (/"msg":"migrations applied"/.test(newer.stderr())) {
      expect(await older.exit(20_000)).toEqual({ code: 1, signal: null });
      expect(older.stderr()).toMatch(/\(SCHEMA-NEWER\)\n$/);
    } else await stopGracefully(older);
    await untilWriter(database, newer);
    stopMoving();
    await waitFor(mirrors, { what: 'everything that happened meanwhile' });
    expect(await history()).toEqual(expect.arrayContaining(kept));
    await expectChains(database);
    await stopGracefully(newer);
  },
  180_000,
  isReleased ? null : 'no version was released yet',
);
