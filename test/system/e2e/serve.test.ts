// What a process serves, by HTTP_SERVE.
import { expect, test } from 'vitest';
import { serveSandbox } from '../../support/command.ts';
import { startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';

test('a writer that serves probes alone mirrors, tells its health, and holds no connection for readers', async () => {
  const database = await testDatabase();
  const service = await serveSandbox();
  const daemon = await startDaemon(service, database, { HTTP_SERVE: 'probes' });
  await untilWriter(database, daemon);
  expect((await daemon.get('/healthz')).status).toBe(200);
  expect((await daemon.get('/readyz')).status).toBe(200);
  expect((await daemon.get('/metrics')).text).toContain('custody_mirror_');
  for (const path of ['/', '/transactions', '/api/v1/transactions', '/custody/balances']) {
    const { status, text } = await daemon.get(path);
    expect([path, status, text]).toEqual([path, 404, expect.stringContaining('HTTP_SERVE=probes')]);
  }
  const pools = await database.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'custody-mirror%'`,
  );
  expect(pools.map(({ name }) => name)).toEqual(['custody-mirror']);
  await stopGracefully(daemon);
});
