// What every client comes upon: a mirror with an amount of more digits than any number type of a processor
// holds, and a role that `grant` made a reader of it.
import { execFile, spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { clockAndZone } from '../../support/clock.ts';
import { serveSandbox, sync } from '../../support/command.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { runProcess } from '../../support/process.ts';
import { type TestRole, testRole } from '../../support/roles.ts';

export const longAmount = `${'1234567890'.repeat(4)}.${'0987654321'.repeat(3)}`;

export interface MirrorForReaders {
  readonly database: TestDatabase;
  readonly reader: TestRole;
}

export async function openMirrorForReaders(): Promise<MirrorForReaders> {
  const service = await serveSandbox();
  const database = await testDatabase();
  const run = await sync(service, database);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  await database.query(
    `update custody.transactions set amount = $1
     where transaction_id = (select min(transaction_id) from custody.transactions)`,
    [longAmount],
  );
  const reader = await testRole(database);
  const granted = await runProcess(['grant', reader.name], { env: { DATABASE_URL: database.url } });
  expect(granted, granted.stderr).toMatchObject({ code: 0 });
  return { database, reader };
}

/** The address as SQLAlchemy, and what is built on it, wants it. */
export const postgresql = (url: string) => url.replace(/^postgres:/, 'postgresql+psycopg2:');

/** The address as JDBC wants it. */
export function jdbc(address: string): string {
  const url = new URL(address);
  const user = new URLSearchParams({ user: url.username, password: url.password });
  return `jdbc:postgresql://${url.host}${url.pathname}?${user}`;
}

export interface ClientRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface ClientOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** After which it is ended; without it, never. */
  readonly timeoutMs?: number;
}

/** Runs a program to its end with nothing of our environment but what is needed; returns what it wrote. */
export function runClient(program: string, args: readonly string[], options: ClientOptions = {}): ClientRun {
  const run = runClientToEnd(program, args, options);
  expect(run.status, `${run.stdout}\n${run.stderr}`).toBe(0);
  return run;
}

/** The same, however it ends. */
export function runClientToEnd(
  program: string,
  args: readonly string[],
  options: ClientOptions = {},
): ClientRun {
  const { status, stdout, stderr, error } = spawnSync(program, args, spawnOptions(options));
  return { status, stdout, stderr: error === undefined ? stderr : `${error}\n${stderr}` };
}

/** The same, while others run. */
export function startClient(
  program: string,
  args: readonly string[],
  options: ClientOptions = {},
): Promise<ClientRun> {
  return new Promise((resolve) => {
    execFile(program, args, spawnOptions(options), (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

function spawnOptions({ cwd, env, timeoutMs }: ClientOptions) {
  return {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: timeoutMs,
    cwd: cwd ?? '/',
    env: {
      PATH: process.env['PATH'],
      HOME: cwd ?? '/nonexistent',
      PYTHONDONTWRITEBYTECODE: '1',
      ...clockAndZone(),
      ...env,
    },
  } as const;
}
