// Generators of code and of interfaces read the schemas as the role that `grant` made a reader: what they
// write has a type for every column, and compiles.
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { installed } from './installed.ts';
import { type MirrorForReaders, openMirrorForReaders, postgresql, runClient } from './mirror-for-readers.ts';
import { modernNode } from './modern-node.ts';

const python = installed('python');
const node = installed('node');
let mirror: MirrorForReaders;

beforeAll(async () => {
  if (python.missing === '' || node.missing === '') mirror = await openMirrorForReaders();
});

/** An empty project in which the packages are installed. */
function project(): string {
  const directory = newFolder();
  symlinkSync(join(node.directory, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  return directory;
}

function runBin(name: string, args: readonly string[], cwd: string) {
  return runClient(process.execPath, [join(node.directory, 'node_modules', name), ...args], { cwd });
}

function compile(file: string, cwd: string): void {
  const options = [
    '--strict',
    '--skipLibCheck',
    '--noEmit',
    '--target',
    'es2022',
    '--moduleResolution',
    'bundler',
  ];
  runBin('typescript/bin/tsc', [...options, '--module', 'esnext', file], cwd);
}

test.skipIf(python.missing !== '')(
  `sqlacodegen writes classes of which every column has a type, and that can be loaded${python.missing}`,
  () => {
    const generate = [
      '--schemas',
      'custody,reporting',
      '--options',
      'nofknames',
      postgresql(mirror.reader.url),
    ];
    const { stdout, stderr } = runClient(join(python.directory, 'env/bin/sqlacodegen'), generate);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/class Transactions\(Base\)/);
    expect(stdout).not.toMatch(/NullType|BYTEA|MULTIRANGE/);
    runClient(join(python.directory, 'env/bin/python'), ['-c', stdout]);
  },
  600_000,
);

test.skipIf(node.missing !== '')(
  `kysely-codegen writes an interface with a type for every column, and it compiles${node.missing}`,
  () => {
    const directory = project();
    const args = [
      '--dialect',
      'postgres',
      '--url',
      mirror.reader.url,
      '--out-file',
      join(directory, 'db.ts'),
    ];
    const schemas = ['custody', 'reporting', 'sync'].flatMap((schema) => [
      '--include-pattern',
      `${schema}.*`,
    ]);
    runBin('kysely-codegen/dist/cli/bin.js', [...args, ...schemas.slice(0, 2)], directory);
    const text = readFileSync(join(directory, 'db.ts'), 'utf8');
    expect(text).toMatch(/"?custody\.transactions"?|CustodyTransactions|Transactions/);
    expect(text).not.toMatch(/: unknown|Buffer/);
    compile('db.ts', directory);
  },
  600_000,
);

test.skipIf(node.missing !== '')(
  `drizzle-kit pull knows every type, and what it writes compiles${node.missing}`,
  () => {
    const directory = project();
    const config = {
      dialect: 'postgresql',
      out: './drizzle',
      schemaFilter: ['custody', 'reporting', 'sync'],
      dbCredentials: { url: mirror.reader.url },
    };
    writeFileSync(join(directory, 'drizzle.config.json'), JSON.stringify(config));
    runBin('drizzle-kit/bin.cjs', ['pull', '--config', 'drizzle.config.json'], directory);
    const text = readFileSync(join(directory, 'drizzle', 'schema.ts'), 'utf8');
    expect(text).toMatch(/export const transactionsInCustody = custody\.table\("transactions"/);
    expect(text).not.toMatch(/\bunknown\(/);
    compile('drizzle/schema.ts', directory);
  },
  600_000,
);

test.skipIf(node.missing !== '' || modernNode() === null)(
  `PostGraphile serves custody and reporting without a warning${node.missing || (modernNode() === null ? ' (skipped: it needs Node.js 22 or newer)' : '')}`,
  () => {
    const directory = project();
    const script = join(directory, 'reader.mjs');
    copyFileSync(fileURLToPath(new URL('postgraphile_reader.mjs', import.meta.url)), script);
    const { stdout, stderr } = runClient(modernNode() ?? '', [script], {
      cwd: directory,
      env: { READER_URL: mirror.reader.url, GRAPHILE_ENV: 'production' },
    });
    expect(stderr).toBe('');
    const { data, errors, sdl } = JSON.parse(stdout);
    expect({ data, errors }).toEqual({ data: { allAccounts: { nodes: [{ accountId: 'default' }] } } });
    expect(sdl).toMatch(/allTransactions|allReportingTransactions/);
  },
  600_000,
);
