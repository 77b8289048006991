// Mirrors in a PostgreSQL that can be replicated logically, and what docs/scaling.md says to do for that.
import { expect } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { startPostgres } from '../../support/postgres.ts';
import { runProcess } from '../../support/process.ts';
import { withClient } from '../../support/server.ts';
import { blocksUnder } from '../docs/blocks.ts';

export interface LogicalMirror {
  readonly url: string;
  readonly port: number;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Makes the tables, as the program of another version has them or as this one has. */
  migrate(program?: string): Promise<void>;
}

export const followerPassword = 'follower';

/** Databases without tables yet, in a server of their own. @returns them, and what the server logged */
export async function logicalServer<Name extends string>(
  ...names: readonly Name[]
): Promise<{ readonly databases: Readonly<Record<Name, LogicalMirror>>; log(): string }> {
  const log = capturingLogger();
  const server = await startPostgres({
    dataDirectory: newDataDirectory('custody-mirror-logical'),
    persistent: false,
    settings: { wal_level: 'logical', wal_retrieve_retry_interval: '250ms' },
    logger: log.logger,
  });
  onCleanup(server.stop);
  for (const name of names) await server.createDatabase(name);
  const databases = Object.fromEntries(
    names.map((name) => [name, logicalMirror(server.url(name), server.port)]),
  ) as Record<Name, LogicalMirror>;
  return { databases, log: log.text };
}

function logicalMirror(url: string, port: number): LogicalMirror {
  return {
    url,
    port,
    query: (sql) => withClient(url, async (client) => (await client.query(sql)).rows),
    migrate: (program) => run({ url }, ['migrate'], program),
  };
}

async function run(
  mirror: Pick<LogicalMirror, 'url'>,
  args: readonly string[],
  program?: string,
): Promise<void> {
  const env = { DATABASE_URL: mirror.url };
  const ended = await runProcess(args, { env, ...(program === undefined ? {} : { program }) });
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
}

/** Makes the role `follower`, with what it needs, and the publication `mirror`. */
export async function publish(mirror: LogicalMirror): Promise<void> {
  const [block = ''] = blocksUnder('docs/scaling.md, Another PostgreSQL', 'sql');
  await mirror.query(replaced(block, { '…': followerPassword }));
  await run(mirror, ['grant', 'follower']);
}

/** The statement that makes the subscription. @param name other than `mirror`, where a server has several */
export function subscriptionTo({ url, port }: LogicalMirror, name = 'mirror'): string {
  const [, block = ''] = blocksUnder('docs/scaling.md, Another PostgreSQL', 'sql');
  return replaced(block, {
    'subscription mirror': `subscription ${name}`,
    'db.example port=5432': `127.0.0.1 port=${port}`,
    'dbname=custody': `dbname=${new URL(url).pathname.slice(1)}`,
    '…': followerPassword,
  });
}

/** A block of a document with what is the test's own; fails where the document has none of it. */
export function replaced(block: string, ours: Readonly<Record<string, string>>): string {
  return Object.entries(ours).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, block);
}
