// Programs of analysts read the mirror as the role that `grant` made a reader: pandas, and whatever speaks
// JDBC.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
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
