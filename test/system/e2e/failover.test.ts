import { expect } from 'vitest';
import { serveSandbox } from '../../support/command.ts';
import { expireLease, leaseHolder, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { untilTruth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';

const finished = async ({ query }: TestDatabase, job: string, beyond = 0) => {
  const [row] = await query<{ id: number }>(
    `select max(run_id)::int as id from sync.runs where job = $1 and status = 'succeeded' and run_id > $2`,
    [job, beyond],
  );
  return row?.id ?? null;
};

longTest(
  'of two daemons one writes; the other says so, and takes over when the first stops or is killed',
  async () => {
    const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
    const first = await startDaemon(service, database);
    await untilWriter(database, first);
    const second = await startDaemon(service, database);
    const [line] = await second.output(/[^\n]*"msg":"standing by while another process writes"\}/);
    expect(JSON.parse(line)).toMatchObject({ held_by: await leaseHolder(database) });
    expect(await second.get('/readyz')).toMatchObject({
      status: 200,
      text: expect.stringContaining('"standby"'),
    });
    expect((await second.get('/metrics')).text).toMatch(
      /^custody_mirror_lease_held\{account="default"\} 0$/m,
    );

    await stopGracefully(first);
    await untilWriter(database, second);
    const third = await startDaemon(service, database);
    await third.output(/"msg":"standing by while another process writes"/);
    await waitFor(() => finished(database, 'transactions'), { what: 'a sweep' });
    second.kill('SIGKILL');
    await second.exit();
    await expireLease(database);
    await untilWriter(database, third);
    const latest = (await finished(database, 'transactions')) ?? 0;
    await waitFor(() => finished(database, 'transactions', latest), { what: 'a sweep by the third' });
    // Vaults and whitelist may still be under way: a killed process may have read neither.
    await untilTruth(database, service.sandbox);
    const running = await database.query("select 1 from sync.runs where status = 'running' and run_id < $1", [
      latest,
    ]);
    expect(running).toEqual([]);
    await stopGracefully(third);
    expect(await leaseHolder(database)).toBeNull();
  },
);

longTest(
  'a process that is frozen past its lease commits nothing more when it wakes, and steps down',
  async () => {
    const [service, database] = await Promise.all([serveSandbox({ transactions: 60 }), testDatabase()]);
    const frozen = await startDaemon(service, database);
    await untilWriter(database, frozen);
    await waitFor(() => finished(database, 'transactions'), { what: 'a sweep' });
    frozen.kill('SIGSTOP');
    const [old] = await database.query<{ holder: string; token: string }>(
      'select holder, token from sync.leases',
    );
    await expireLease(database);

    const next = await startDaemon(service, database);
    await untilWriter(database, next);
    const [taken] = await database.query<{ token: string }>('select token from sync.leases');
    expect(Number(taken?.token)).toBeGreaterThan(Number(old?.token));
    const { transactionId } = service.sandbox.world.insertTransaction('head', { status: 'pending' });
    const present = async () =>
      (await database.query('select 1 from custody.transactions where transaction_id = $1', [transactionId]))
        .length > 0;
    await waitFor(present, { what: 'a record that the other wrote' });
    const written = () =>
      database.query('select xmin::text, ctid::text from custody.transactions order by 2');
    const before = await written();

    frozen.kill('SIGCONT');
    await frozen.output(/"msg":"lease lost"/);
    await frozen.output(/"msg":"standing by while another process writes"/);
    expect(await written()).toEqual(before);
    expect((await leaseHolder(database))?.split(':')).toContain(String(next.pid));
    const changes = await database.query(
      'select count(*)::int as rows from custody.transaction_status_history where transaction_id = $1',
      [transactionId],
    );
    expect(changes).toEqual([{ rows: 1 }]);

    await stopGracefully(next);
    await untilWriter(database, frozen);
    await stopGracefully(frozen);
  },
);
