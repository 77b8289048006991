// Programs of analysts read the mirror as the role that `grant` made a reader: pandas, dbt and whatever
// speaks JDBC.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { dbtEnvironment } from './dbt-project.ts';
import { installed } from './installed.ts';
import {
  jdbc,
  longAmount,
  type MirrorForReaders,
  openMirrorForReaders,
  postgresql,
  runClient,
} from './mirror-for-readers.ts';

const python = installed('python');
const java = installed('java');
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
let mirror: MirrorForReaders;

beforeAll(async () => {
  if (python.missing === '' || java.missing === '') mirror = await openMirrorForReaders();
});

test.skipIf(python.missing !== '')(
  `pandas keeps every digit with coerce_float=False, and moments their zone${python.missing}`,
  async () => {
    const { stdout } = runClient(join(python.directory, 'env/bin/python'), [here('pandas_reader.py')], {
      env: { READER_URL: postgresql(mirror.reader.url) },
    });
    const [row] = await mirror.database.query(
      'select count(*)::int as rows from custody.transactions where amount is not null',
    );
    expect(JSON.parse(stdout)).toEqual({
      rows: row?.['rows'],
      exact: true,
      zoned: true,
      roundedType: 'float64',
    });
  },
  600_000,
);

test.skipIf(java.missing !== '')(
  `JDBC lists tables, keys and types it knows, and reads exactly${java.missing}`,
  async () => {
    const { stdout } = runClient(
      'java',
      ['-cp', join(java.directory, 'jars', '*'), here('JdbcReader.java')],
      {
        env: { READER_URL: jdbc(mirror.reader.url) },
      },
    );
    const lines = stdout.trim().split('\n');
    const [row] = await mirror.database.query(
      'select count(*)::int as amounts from custody.transactions where amount is not null',
    );
    expect(lines.filter((line) => line.startsWith('odd '))).toEqual([]);
    for (const line of ['key transaction_id', 'refers balance_snapshots', `exact ${row?.['amounts']}`])
      expect(lines).toContain(line);
    expect(lines).toContain(`longest ${longAmount}`);
  },
  600_000,
);

test.skipIf(python.missing !== '')(
  `dbt builds an incremental model, tests and freshness from the mirror as sources${python.missing}`,
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'custody-mirror-dbt-'));
    onCleanup(async () => rmSync(directory, { recursive: true, force: true }));
    cpSync(here('dbt'), directory, { recursive: true });
    // Its own results go to a schema of its own.
    await mirror.database.query(`create schema marts authorization ${mirror.reader.quoted}`);
    const env = dbtEnvironment(mirror.reader, directory);
    const dbt = join(python.directory, 'env/bin/dbt');
    for (const args of [['build'], ['build'], ['source', 'freshness']])
      runClient(dbt, [...args, '--project-dir', directory], { cwd: directory, env });
    const count = 'select count(*)::int as rows, max(amount)::text as longest from';
    expect(await mirror.database.query(`${count} marts.amounts`)).toEqual(
      await mirror.database.query(`${count} custody.transactions`),
    );
  },
  600_000,
);
