// Where the PostgreSQL server of a test run comes from: embedded, a container, or the one that
// TEST_DATABASE_URL names.
import { newDataDirectory } from './data-directory.ts';
import { newestPostgres, startFirstPostgres } from './postgres.ts';
import { type TestServer, withClient } from './server.ts';

type Provider = (env: Environment) => Promise<TestServer>;
type Environment = Readonly<Record<string, string | undefined>>;

const providers: Readonly<Record<string, Provider>> = {
  embedded: startEmbedded,
  testcontainers: async (env) => {
    // Loaded where it is wanted only.
    const { startPostgresContainer } = await import('./postgres-container.ts');
    return await startPostgresContainer(env['TEST_POSTGRES_VERSION'] || newestPostgres);
  },
  url: async (env) => {
    const adminUrl = env['TEST_DATABASE_URL'];
    if (!adminUrl) throw new Error('TEST_DATABASE=url needs TEST_DATABASE_URL');
    return { adminUrl, stop: async () => undefined };
  },
};

/**
 * The server that TEST_DATABASE asks for: `embedded`, `testcontainers` or `url`, which is the default where
 * there is one.
 */
export async function startTestServer(env: Environment): Promise<TestServer> {
  const wanted = env['TEST_DATABASE'] || (env['TEST_DATABASE_URL'] ? 'url' : 'embedded');
  const provider = providers[wanted];
  if (provider === undefined)
    throw new Error(`TEST_DATABASE must be one of ${Object.keys(providers).join(', ')}`);
  return await provider(env);
}

async function startEmbedded(): Promise<TestServer> {
  const zone = process.env['TZ'];
  const server = await startFirstPostgres({
    dataDirectory: newDataDirectory('custody-mirror-test'),
    persistent: false,
    settings: {
      // Nothing here outlives the run, so nothing needs to reach the disk.
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // Written again and again, and not one after the other.
      max_wal_size: '128MB',
      max_connections: '300',
      shared_buffers: '128MB',
      // Nothing may depend on the time zone of the server's sessions either.
      ...(zone ? { timezone: zone } : {}),
    },
  });
  const adminUrl = server.url('postgres');
  await shortenLogin(adminUrl);
  return { adminUrl, stop: server.stop };
}

/**
 * A run connects thousands of times, and by default half of what that costs Node.js are 4,096 rounds over the
 * password. PostgreSQL 15 has no fewer.
 */
async function shortenLogin(url: string): Promise<void> {
  const { password } = new URL(url);
  await withClient(url, (client) =>
    client.query(
      `select set_config('scram_iterations', '1', false) where current_setting('server_version_num')::int >= 160000;
       alter role current_user password ${client.escapeLiteral(password)}`,
    ),
  );
}
