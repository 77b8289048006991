// Three daemons on one database, killed and frozen at random while one of them writes. An audit in the
// database itself holds every write against the token of the lease: whatever is written for a run is written
// under the token of that run. CRASH_LEASE_ROUNDS is the number of rounds, CRASH_SEED draws them again; npm
// run test:crash is the long form.
import { expect } from 'vitest';
import { expireLease, leaseHolder, stopGracefully } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest, sized } from '../../support/form.ts';
import type { TestProcess } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  beginDaemon,
  expectTruth,
  finishing,
  pause,
  runningRuns,
  seededRandom,
  serveEvolving,
} from './evolving.ts';

const count = sized({ short: 2, long: 5 }, 'CRASH_LEASE_ROUNDS');

/** Notes the token under which each run began, and every later write for it under another. */
const audit = `
  create schema audit;
  create table audit.begun (run_id bigint primary key, token bigint not null);
  create table audit.written (relation text, run_id bigint, token bigint);
  create function audit.begin() returns trigger language plpgsql as $$ begin
    insert into audit.begun select new.run_id, token from sync.leases where account_id = new.account_id;
    return null; end $$;
  create function audit.write() returns trigger language plpgsql as $$ begin
    insert into audit.written select tg_table_name, new.run_id, token from sync.leases where account_id = new.account_id;
    return null; end $$;
  create trigger audit after insert on sync.runs for each row execute function audit.begin();
  create trigger audit_update after update on sync.runs for each row when (new.status <> 'abandoned')
    execute function audit.write();
  create trigger audit after insert on custody.transaction_status_history for each row execute function audit.write();
  create trigger audit after insert on custody.transaction_revisions for each row execute function audit.write();
  create trigger audit after insert on custody.document_revisions for each row execute function audit.write();
  create trigger audit after insert on custody.balance_snapshots for each row execute function audit.write()`;

longTest(
  `three daemons that are killed or frozen ${count} times in all write one at a time`,
  async () => {
    const random = seededRandom('leases');
    const [service, database] = await Promise.all([serveEvolving(random.below(1_000)), testDatabase()]);
    await database.query(audit);
    const daemons = Array.from({ length: 3 }, () => beginDaemon(service, database));
    for (let round = 0; round < count; round += 1) {
      const { daemon, index } = await writerAmong(daemons, database);
      await waitFor(() => writesUnderThisLease(database), { what: 'a write' });
      await pause(random.below(400));
      if (random.chance(0.5)) {
        daemon.kill('SIGKILL');
        await daemon.exit();
        await expireLease(database);
        daemons[index] = beginDaemon(service, database);
      } else {
        daemon.kill('SIGSTOP');
        await expireLease(database);
        // Until another has taken the lease, and a while longer.
        await writerAmong(daemons, database, daemon);
        await pause(random.below(600));
        daemon.kill('SIGCONT');
        await daemon.output(/"msg":"lease lost"/);
      }
    }
    const foreign = await database.query(`
      select relation, run_id, written.token, begun.token as begun from audit.written left join audit.begun using (run_id)
      where written.token is distinct from begun.token limit 5`);
    expect(foreign).toEqual([]);
    const [tokens] = await database.query<{ used: number }>(
      'select count(distinct token)::int as used from audit.written',
    );
    expect(tokens?.used).toBeGreaterThan(1);

    // One that was just spawned does not hear a signal yet.
    for (const daemon of daemons) await daemon.output(/"msg":"daemon started"/);
    for (const daemon of daemons) await stopGracefully(daemon);
    expect(await leaseHolder(database)).toBeNull();
    service.settle();
    const last = beginDaemon(service, database, finishing);
    await expectTruth(database, service);
    await stopGracefully(last);
    expect(await runningRuns(database)).toEqual([]);
  },
  90_000 + count * 15_000,
);

async function writesUnderThisLease({ query }: TestDatabase): Promise<boolean> {
  const found = await query('select 1 from audit.written join sync.leases using (token) limit 1');
  return found.length > 0;
}

/** Waits until one of the daemons, but not the one left out, holds the lease. */
async function writerAmong(
  daemons: readonly TestProcess[],
  database: TestDatabase,
  but?: TestProcess,
): Promise<{ readonly daemon: TestProcess; readonly index: number }> {
  return await waitFor(
    async () => {
      const holder = (await leaseHolder(database))?.split(':') ?? [];
      const index = daemons.findIndex((daemon) => daemon !== but && holder.includes(String(daemon.pid)));
      const daemon = daemons[index];
      return daemon === undefined ? null : { daemon, index };
    },
    { what: 'a daemon that holds the lease' },
  );
}
