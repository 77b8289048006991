// A database that is not there, or goes away in the middle: a clear error without the password, no half page,
// and the next run completes.
import { expect, test } from 'vitest';
import { environment, serveSandbox } from '../../support/command.ts';
import { startDaemon } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { openGate } from '../../support/gate.ts';
import { runHere } from '../../support/in-process.ts';
import { runProcess, startProcess } from '../../support/process.ts';
import { openRestartingPostgres } from '../../support/restarting-postgres.ts';
import { expectTruth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';

test.each(['sync', 'run', 'migrate', 'status'])('%s names a database that is not there', async (command) => {
  const url = 'postgres://mirror:s3cret-password@127.0.0.1:1/custody';
  const run = await runHere([command], { env: environment({ url: 'http://127.0.0.1:2' }, { url }) });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(
    /database custody on 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\).*DATABASE_URL/,
  );
  expect(run.stderr).not.toContain('s3cret');
  expect(run.stderr).not.toContain('    at ');
});

// The limits of statements are far beyond the time of a test.
longTest(
  'a silent database is reported to everybody who asks, and answers as soon as it is back',
  async () => {
    const { url } = await testDatabase();
    const gate = await openGate(url);
    const daemon = await startDaemon(await serveSandbox(), gate, {
      HTTP_STATEMENT_TIMEOUT_MS: '600000',
      LEASE_TTL_MS: '600000',
    });
    const pages = ['/', '/balances', '/sync', '/transactions'];
    const others = ['/custody/balances', '/api/v1/runs', '/readyz', '/status.json'];
    const askAll = () => Promise.all([...pages, ...others].map((path) => daemon.get(path)));
    await waitFor(async () => (await askAll()).every(({ status }) => status !== 503), { what: 'answers' });
    gate.set('hang');
    const answers = await askAll();
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 400, 503, 503, 503]);
    const [page, , mirror, , custody, problem, , status] = answers.map(({ text }) => text);
    expect(page).toContain('the database does not answer');
    expect(mirror).toContain('The database does not answer');
    expect(JSON.parse(custody ?? '')).toMatchObject({ error_code: 'ERR-01' });
    expect(JSON.parse(problem ?? '')).toMatchObject({ code: 'unavailable', status: 503 });
    expect(JSON.parse(status ?? '')).toMatchObject({ error: { code: 'DATABASE-UNREACHABLE' } });

    gate.set('pass');
    await waitFor(async () => (await daemon.get('/api/v1/runs')).status === 200, { what: 'answers again' });
  },
);

longTest(
  'a database that is killed in the middle of a sync leaves no half page, and the next run completes',
  async () => {
    const database = await openRestartingPostgres();
    const { query } = database;
    const service = await serveSandbox({ transactions: 400 });
    const env = environment(service, database, { CUSTODY_PAGE_SIZE: '20', LEASE_TTL_MS: '10000' });
    expect(await runProcess(['migrate'], { env })).toMatchObject({ code: 0 });

    // Beyond the tenth page no answer comes, so the sweep stands in the middle when its database is killed.
    const resume = service.sandbox.faults.add({
      kind: 'stall',
      endpoint: 'transactions',
      when: ({ query }) => Number(query.get('offset')) > 200,
    });
    const broken = startProcess(['sync'], {
      env: { ...env, CUSTODY_TIMEOUT_MS: '400', CUSTODY_RETRIES: '1' },
    });
    await waitFor(async () => (await query('select 1 from custody.transactions limit 1')).length > 0, {
      what: 'the first page',
    });
    database.kill();
    expect(await broken.exit()).toEqual({ code: 1, signal: null });
    const told = broken.stdout() + broken.stderr();
    expect(told).toMatch(/database custody on 127\.0\.0\.1:\d+/);
    expect(told).toMatch(/DATABASE-UNREACHABLE/);
    expect(told).not.toContain(new URL(database.url).password);
    expect(told).not.toMatch(/unhandled|uncaught/i);

    await database.start();
    const halves = `
    select count(*)::int as transactions,
      count(*) filter (where not exists (select from custody.transaction_status_history h
        where h.transaction_id = t.transaction_id and h.sequence = 1 and h.to_status = t.status))::int as without,
      (select count(*)::int from custody.transaction_status_history) as histories,
      (select sum(records_inserted)::int from sync.runs where job = 'transactions') as counted
    from custody.transactions t`;
    const [half] = await query<Record<string, number>>(halves);
    expect(half).toMatchObject({
      without: 0,
      histories: half?.['transactions'],
      counted: half?.['transactions'],
    });
    expect(half?.['transactions']).toBeGreaterThan(0);
    expect(half?.['transactions']).toBeLessThan(400);

    resume();
    const next = await runProcess(['sync'], { env: { ...env, LEASE_TTL_MS: '30000' } });
    expect(next, next.stderr).toMatchObject({ code: 0 });
    await expectTruth(database, service.sandbox);
    const [whole] = await query(halves);
    expect(whole).toMatchObject({ transactions: 400, without: 0, histories: 400, counted: 400 });
    const left = await query("select job from sync.runs where status = 'running'");
    expect(left).toEqual([]);
    const abandoned = await query("select distinct status from sync.runs where status <> 'succeeded'");
    expect(abandoned).toEqual([{ status: 'abandoned' }]);
  },
);
