// An upgrade beside a daemon that writes: a later version, which is this one with one migration more, is
// started while this one mirrors a list that moves. The older one steps down and writes nothing to the newer
// tables, and nothing is lost.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { leaseHolder, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { addMigration, copyOfRepository } from '../../support/later-version.ts';
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

/** This build with one migration more. */
function laterVersion(): string {
  const copy = copyOfRepository(['dist', 'migrations', 'package.json']);
  addMigration(join(copy, 'migrations'), '9999_later', laterMigration);
  return join(copy, 'dist/src/cli/main.js');
}

longTest(
  'a later version migrates beside a daemon that writes, which steps down, and nothing is lost or written twice',
  async () => {
    const program = laterVersion();
    const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
    const { world } = service.sandbox;
    const older = await startDaemon(service, database);
    await untilWriter(database, older);
    const mirrors = async () => isDeepStrictEqual(await mirrored(database), truth(service.sandbox));
    await waitFor(mirrors, { what: 'the first mirror' });

    // Something happens at every moment, so that the older one has something to write in whatever moment the
    // other comes.
    const moving = setInterval(() => void world.insertTransaction('head', { status: 'pending' }), 20);
    onCleanup(async () => clearInterval(moving));
    const env = environment(service, database, {
      SCHEDULE_TRANSACTIONS: '* * * * * *',
      SCHEDULE_BALANCES: '* * * * * *',
      CUSTODY_RATE_LIMIT: 'off',
      LEASE_TTL_MS: '3000',
    });
    const newer = startProcess(['run'], { env, program });
    await newer.output(/"migrations":\["9999_later"\][^\n]*"msg":"migrations applied"/);
    expect(await older.exit(20_000)).toEqual({ code: 1, signal: null });
    expect(older.stderr()).toMatch(/\(SCHEMA-NEWER\)\n$/);
    await untilWriter(database, newer);
    clearInterval(moving);
    await waitFor(mirrors, { what: 'everything that happened meanwhile', deadlineMs: 40_000 });

    const [audit] = await database.query<{ rows: number; by_older: number }>(`
    select count(*)::int as rows, count(*) filter (where w.token <= m.token)::int as by_older
    from audit.written w cross join audit.migrated m`);
    expect(audit?.rows).toBeGreaterThan(0);
    expect(audit?.by_older).toBe(0);
    const broken = await database.query(`
    select from (
      select sequence, from_status, row_number() over w as expected, lag(to_status) over w as before
      from custody.transaction_status_history window w as (partition by transaction_id order by sequence)
    ) h where sequence <> expected or from_status is distinct from before`);
    expect(broken).toEqual([]);
    await stopGracefully(newer);
    expect(await leaseHolder(database)).toBeNull();
    expect(await database.query("select from sync.runs where status = 'running'")).toEqual([]);
  },
  120_000,
);
