// A stop ends a command that waits for a database which does not answer.
import { expect } from 'vitest';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { startProcess } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

longTest('serve that waits for a lock at its start stops when it is asked to', async () => {
  const database = await testDatabase();
  const env = environment(await serveSandbox(), database);
  expect(await runHere(['migrate'], { env })).toMatchObject({ code: 0 });
  // The limit of the statement is a minute.
  const locked = database.query(
    'do $do$ begin lock table drizzle.__drizzle_migrations; perform pg_sleep(40); end $do$',
  );
  locked.catch(() => undefined);
  const waiting =
    "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  const serve = startProcess(['serve'], { env });
  await waitFor(async () => ((await database.query<{ n: number }>(waiting))[0]?.n ?? 0) > 0, {
    what: 'serve to wait for the lock',
  });
  serve.kill('SIGTERM');
  expect(await serve.exit(20_000)).toMatchObject({ code: 1 });
  expect(serve.stderr()).toContain('stopped: SIGTERM');
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'do $do$ begin lock%' and pid <> pg_backend_pid()",
  );
});
