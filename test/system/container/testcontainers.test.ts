// The PostgreSQL of a run with TEST_DATABASE=testcontainers, really started where a Docker engine answers.
import { getContainerRuntimeClient, ImageName } from 'testcontainers';
import { expect, test } from 'vitest';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { knownMigrations } from '../../../src/store/schema/migrations.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { newestPostgres } from '../../support/postgres.ts';
import { startTestServer } from '../../support/providers.ts';
import { withClient } from '../../support/server.ts';
import { open } from '../../support/store.ts';

const version = process.env['TEST_POSTGRES_VERSION'] || newestPostgres;
const missing = await whatIsMissing();
const reason = missing === null ? '' : ` (skipped: ${missing})`;

async function whatIsMissing(): Promise<string | null> {
  const client = await getContainerRuntimeClient().catch(() => null);
  if (client === null) return 'no Docker engine answers here';
  const image = ImageName.fromString(`postgres:${version}`);
  const isThere = await client.image.pull(image).then(
    () => true,
    () => false,
  );
  return isThere ? null : `the image ${image.string} cannot be had`;
}

test.skipIf(missing !== null)(
  `a PostgreSQL in a container is of the version that was asked for, and is migrated${reason}`,
  async () => {
    const server = await startTestServer({ TEST_DATABASE: 'testcontainers', TEST_POSTGRES_VERSION: version });
    onCleanup(server.stop);
    expect(await migrate(open(server.adminUrl))).toHaveLength(knownMigrations().length);
    const { rows } = await withClient(server.adminUrl, (client) =>
      client.query("select current_setting('server_version_num')::int / 10000 as major"),
    );
    expect(rows).toEqual([{ major: Number(version) }]);
  },
  120_000,
);
