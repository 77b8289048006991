// `npm run bench:dlt`: mirrors the same transactions from the same sandbox into the same server, once with
// custody-mirror and once with dlt, a library that loads lists into databases. Whole processes, from their
// start to their end. It needs Python and PyPI.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dropDatabase, onBenchServer, withConnection } from './databases.ts';
import { startSandbox } from './helper-process.ts';
import { type SandboxStarted, sandboxStarted } from './messages.ts';
import { percentile } from './percentile.ts';
import { refuse } from './refuse.ts';

const transactions = Number(process.argv[2] ?? 50_000);
const rounds = Number(process.argv[3] ?? 3);
const sources = resolve('bench/dlt');
const environment = resolve('node_modules/.cache/custody-mirror/bench-dlt');

interface Contender {
  readonly name: string;
  readonly keeps: string;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** How many transactions it left in the database. */
  readonly count: string;
}

if (!Number.isInteger(transactions) || !Number.isInteger(rounds))
  refuse('bench:dlt -- [transactions [rounds]]');
installDlt();

await onBenchServer('bench-dlt', async ({ postgres, directory, signal }) => {
  const sandbox = startSandbox(transactions);
  const service = await sandbox.receive(sandboxStarted);
  const taken = new Map<Contender, number[]>();
  const contenders = contendersOf(service);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      signal.throwIfAborted();
      await postgres.recreateDatabase('bench_dlt');
      const url = postgres.url('bench_dlt');
      const pipelines = join(directory, `pipelines-${round}-${index}`);
      const startedAt = performance.now();
      await run(contender, { DATABASE_URL: url, PIPELINES_DIR: pipelines });
      const seconds = (performance.now() - startedAt) / 1000;
      const { rows } = await withConnection(url, (client) => client.query<{ n: string }>(contender.count));
      if (Number(rows[0]?.n) !== transactions)
        throw new Error(`${contender.name} left ${rows[0]?.n} transactions of ${transactions}`);
      taken.set(contender, [...(taken.get(contender) ?? []), seconds]);
      console.log(`  round ${round}: ${contender.name} ${seconds.toFixed(1)} s`);
      await dropDatabase(postgres, 'bench_dlt');
    }
  }
  await sandbox.stop();
  tell(taken);
});

function contendersOf({ url, apiKey }: SandboxStarted): readonly Contender[] {
  const dlt = {
    keeps: 'the last state of each record; no history, no sign that the list was read whole',
    command: [join(environment, 'bin/python'), join(sources, 'pipeline.py')],
    count: 'select count(*) as n from bench_dlt.transactions',
  } as const;
  const service = { SERVICE_URL: url, SERVICE_KEY: apiKey, RUNTIME__DLTHUB_TELEMETRY: 'false' };
  return [
    {
      name: 'custody-mirror sync',
      keeps:
        'every record with its text, each status with when it was seen, revisions, the run and its verdict',
      command: [process.execPath, resolve('dist/src/cli/main.js'), 'sync'],
      env: {
        CUSTODY_BASE_URL: url,
        CUSTODY_API_KEY: apiKey,
        CUSTODY_RESOURCES: 'transactions',
        LOG_LEVEL: 'warn',
      },
      count: 'select count(*) as n from custody.transactions',
    },
    { ...dlt, name: 'dlt, default', env: service },
    { ...dlt, name: 'dlt, csv', env: { ...service, FILE_FORMAT: 'csv' } },
  ];
}

async function run({ name, command, env }: Contender, more: Readonly<Record<string, string>>): Promise<void> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env, ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const code = await new Promise<number | null>((ended, failed) => {
    child.on('close', ended);
    child.on('error', failed);
  });
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${said.slice(-2_000)}`);
}

function installDlt(): void {
  if (existsSync(join(environment, 'bin/dlt'))) return;
  mkdirSync(environment, { recursive: true });
  const steps = [
    ['python3', '-m', 'venv', environment],
    [join(environment, 'bin/pip'), 'install', '--quiet', '--requirement', join(sources, 'requirements.txt')],
  ];
  for (const [program = '', ...args] of steps)
    if (spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
      throw new Error(`dlt could not be installed: ${program} failed. It needs Python 3 with venv, and PyPI`);
}

function tell(taken: ReadonlyMap<Contender, readonly number[]>): void {
  const ours = percentile([...taken.values()][0] ?? [], 50);
  console.log(`\n${transactions} transactions, medians of ${rounds} rounds\n`);
  console.log('| | seconds | × | keeps |\n|---|--:|--:|---|');
  for (const [{ name, keeps }, seconds] of taken) {
    const median = percentile(seconds, 50);
    console.log(`| ${name} | ${median.toFixed(1)} | ${(median / ours).toFixed(2)} | ${keeps} |`);
  }
}
