import { expect, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { newestPostgres } from '../../support/postgres.ts';

const startedHere = process.env['TEST_DATABASE'] !== 'url' && !process.env['TEST_DATABASE_URL'];
const elsewhere = startedHere ? '' : ' (skipped: TEST_DATABASE_URL names the server)';

test.runIf(startedHere)(`the server is of the version that the run is for${elsewhere}`, async () => {
  const database = await testDatabase({ empty: true });
  const [row] = await database.query("select current_setting('server_version_num')::int / 10000 as major");
  expect(row?.['major']).toBe(Number(process.env['TEST_POSTGRES_VERSION'] || newestPostgres));
});
