// A pgbouncer in transaction-pooling mode before a database, where the program is installed: each transaction
// may get another server connection, so nothing that a client leaves in its session is there for the next
// one.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onCleanup } from '../../support/cleanup.ts';
import { newFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { withClient } from '../../support/server.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Debian puts it where only root looks. */
const path = `${process.env['PATH']}:/usr/sbin`;

export const pgbouncerIsInstalled =
  spawnSync('pgbouncer', ['--version'], { env: { PATH: path } }).error === undefined;

/**
 * @param settings further lines of its configuration
 * @returns the address of the same database through the pooler
 */
export async function poolTransactions(databaseUrl: string, settings = ''): Promise<string> {
  const server = new URL(databaseUrl);
  const folder = newFolder(0o755);
  const port = await freePort();
  const name = server.pathname.slice(1);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${name} = host=${server.hostname} port=${server.port} dbname=${name} user=${server.username} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
${settings}
`,
    // It gives up the rights of root, and must be able to read this afterwards.
    { mode: 0o644 },
  );
  const asRoot = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const pooler = spawn('pgbouncer', ['-q', ...asRoot, join(folder, 'pgbouncer.ini')], {
    env: { PATH: path },
    stdio: 'ignore',
  });
  onCleanup(() => ended(pooler));
  const url = new URL(databaseUrl);
  url.port = String(port);
  const answers = () => withClient(url.href, (client) => client.query('select 1')).catch(() => undefined);
  await waitFor(answers, { what: 'an answer through pgbouncer' });
  return url.href;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await closed;
}
