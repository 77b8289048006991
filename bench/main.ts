// `npm run bench`: mirrors N transactions from a sandbox into an embedded PostgreSQL with its default
// durability, and compares the time with the floor (floor.ts), measured in the same rounds; or counts the
// requests of the cycles after a sweep.
import { onBenchServer, withConnection } from './databases.ts';
import { economyText, isWithinBounds, measureEconomy } from './economy.ts';
import { measureSize } from './measure.ts';
import { type BenchOptions, parseBenchOptions } from './options.ts';
import { runBench } from './refuse.ts';
import { machineText, roundText, sizeText } from './report.ts';

const shownSettings = [
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_level',
  'shared_buffers',
  'max_wal_size',
];

async function bench(options: BenchOptions): Promise<void> {
  await onBenchServer('bench', async ({ postgres, directory }) => {
    console.log(await describeServer(postgres.url('postgres')));
    for (const transactions of options.sizes) {
      console.log('');
      if (options.economy) {
        const cycles = await measureEconomy(postgres, options, transactions);
        console.log(economyText(transactions, cycles));
        if (!isWithinBounds(cycles)) process.exitCode = 1;
        continue;
      }
      const rounds = await measureSize(postgres, options, transactions, directory, (round, number) =>
        console.log(roundText(round, number)),
      );
      console.log(sizeText(transactions, rounds, options));
    }
  });
}

function describeServer(url: string): Promise<string> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ name: string; value: string }>(
      `select name, current_setting(name) as value from pg_settings where name = any($1)
       union all select 'version', current_setting('server_version')`,
      [shownSettings],
    );
    const settings = new Map(rows.map(({ name, value }) => [name, value]));
    const version = settings.get('version') ?? 'unknown';
    settings.delete('version');
    return machineText(version, settings);
  });
}

await runBench((args) => bench(parseBenchOptions(args)));
