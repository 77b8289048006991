// The PostgreSQL of a test run as a container: the image that people run, with nothing installed but Docker.
import { randomBytes } from 'node:crypto';
import { GenericContainer, Wait } from 'testcontainers';
import { type TestServer, withClient } from './server.ts';
import { waitFor } from './wait-for.ts';

export async function startPostgresContainer(version: string): Promise<TestServer> {
  const password = randomBytes(16).toString('hex');
  const container = await new GenericContainer(`postgres:${version}`)
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withExposedPorts(5432)
    // Nothing here outlives the run, so nothing needs to reach the disk.
    .withCommand([
      'postgres',
      ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'].flatMap(
        (setting) => ['-c', setting],
      ),
    ])
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const stop = async () => void (await container.stop());
  const adminUrl = `postgres://postgres:${password}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
  try {
    // The port may be open before the server is.
    await waitFor(() => withClient(adminUrl, async () => true).catch(() => false), {
      what: `PostgreSQL ${version} in a container`,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { adminUrl, stop };
}
