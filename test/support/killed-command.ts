// A command that waits for a lock in the middle of its work, and is killed there.
import type { TestDatabase } from './database.ts';
import { type ProcessOptions, startProcess } from './process.ts';
import { withClient } from './server.ts';
import { waitFor } from './wait-for.ts';

/** Resolves when the server has given up what the command had sent. */
export async function killWaiting(
  args: readonly string[],
  options: ProcessOptions,
  { url, query }: TestDatabase,
  table: string,
): Promise<void> {
  const ofCommand = (condition: string) =>
    query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name like 'custody-mirror%' and ${condition}`,
    );
  await withClient(url, async (client) => {
    await client.query(`begin; lock table ${table} in share mode`);
    const killed = startProcess(args, options);
    const isWaiting = async () => (await ofCommand(`wait_event_type = 'Lock'`)).length > 0;
    await waitFor(isWaiting, { what: `a command that waits for ${table}` });
    killed.kill('SIGKILL');
    await killed.exit();
    await client.query('rollback');
  });
  await waitFor(async () => (await ofCommand('true')).length === 0, { what: 'the end of the statement' });
}
