// The client as other programs get it: from the packed package, type-checked and run. The examples of
// docs/client.md among them.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { mirrorVaults } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { startApi } from '../../api/documented-api.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { clockAndZone } from '../../support/clock.ts';
import { newFolder } from '../../support/folder.ts';
import { openMirror } from '../../support/mirror.ts';
import { waitFor } from '../../support/wait-for.ts';
import { blocks, root } from './blocks.ts';

/** A folder in which the package is installed, without its dependencies. */
let home: string;

beforeAll(() => {
  home = newFolder();
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', home], {
    cwd: root,
    encoding: 'utf8',
  });
  const name = /custody-mirror-[\d.]+\.tgz/.exec(packed.stdout)?.[0] ?? '';
  const folder = join(home, 'node_modules/custody-mirror');
  mkdirSync(folder, { recursive: true });
  const unpacked = spawnSync('tar', ['-xzf', join(home, name), '-C', folder, '--strip-components=1'], {
    encoding: 'utf8',
  });
  expect([packed.status, unpacked.status], packed.stderr + unpacked.stderr).toEqual([0, 0]);
  for (const name of ['@types', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(home, 'node_modules', name));
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
});

const withNode = { lib: ['es2023'], types: ['node'] };
const asInBrowsers = { lib: ['es2023', 'dom', 'dom.iterable'], types: [] };

/** Compiles a program in the folder. @returns what the compiler says */
function compile(name: string, program: string, settings: object): string {
  writeFileSync(join(home, `${name}.ts`), program);
  const options = { target: 'es2023', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true };
  const config = { compilerOptions: { ...options, ...settings }, files: [`${name}.ts`] };
  writeFileSync(join(home, `${name}.json`), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [compiler, '-p', `${name}.json`], { cwd: home, encoding: 'utf8' })
    .stdout;
}

test('the examples of docs/client.md compile, and run against a mirror', async () => {
  const examples = blocks.filter(
    ({ name, language }) => name.startsWith('docs/client.md') && language === 'ts',
  );
  expect(examples).toHaveLength(4);
  const mirror = await openMirror({ transactions: 30 });
  await syncTransactions(mirror.context, { full: true });
  await mirrorVaults(mirror.context);
  const api = await startApi(mirror.url, { of: 'default' });
  const program = examples.map(({ text }) => text).join('\n');
  expect(program).toContain('http://127.0.0.1:8787');
  expect(compile('examples', program.replace('http://127.0.0.1:8787', api.url), withNode)).toBe('');

  const child = spawn(process.execPath, ['examples.js'], {
    cwd: home,
    env: { PATH: process.env['PATH'], MIRROR_KEY: 'none-is-needed', ...clockAndZone() },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const closed = once(child, 'close');
  onCleanup(async () => void child.kill('SIGKILL'));
  const changes = await mirror.query<{ last: string }>(
    'select max(change_id) as last from custody.document_revisions',
  );
  const last = String(changes[0]?.last);
  const place = () => {
    try {
      return String(JSON.parse(readFileSync(join(home, 'place.json'), 'utf8')).after);
    } catch {
      return '';
    }
  };
  await waitFor(() => place() === last || child.exitCode !== null, { what: 'the last change' });
  child.kill('SIGINT');
  const [code] = await closed;
  expect({ code, output }).toMatchObject({ code: 0 });
  const completed = await mirror.query(
    "select transaction_id as id, trim_scale(amount)::text as amount from custody.transactions where status = 'completed'",
  );
  expect(completed.length).toBeGreaterThan(0);
  for (const { id, amount } of completed) expect(output).toContain(`${id} ${amount} `);
  expect(output).toMatch(/^The mirror is \S.*\.\nThe mirror had seen nothing yet\.\n\d{3,} bytes of CSV$/m);
  expect(output.match(/^vault vlt_/gm)).toHaveLength(mirror.sandbox.world.vaults().length);
  expect(place()).toBe(last);
});

/** Each line that must not compile is marked; a mark on a line that does compile is an error, too. */
const typed = `
import { createClient, type Change, type List, type Transaction, type TransactionAt } from 'custody-mirror/client';
const client = createClient({ baseUrl: 'http://mirror', fetch: globalThis.fetch });
const status: string | undefined = undefined;
const now: List<Transaction, unknown> = client.listTransactions({ status, is_open: true, limit: 5 });
const past: List<TransactionAt, unknown> = client.listTransactions({ at: new Date() });
export const rows: AsyncIterable<Transaction> = now;
export const then: AsyncIterable<TransactionAt> = past;
export async function read(at: string | undefined) {
  for await (const row of client.listTransactions({ at })) {
    const either: Transaction | TransactionAt = row;
    const amount: string | null = row.amount;
    // @ts-expect-error an amount is no number
    const sum: number = row.amount;
    console.log(either, amount, sum);
  }
  const page = await client.listFees({ sort: '-day' }).page();
  console.log(page.account_id, page.data[0]?.fee_asset_id, page.next_cursor);
  const { data } = await client.getVault({ vault_id: 'v' }, { signal: AbortSignal.timeout(5) });
  console.log(data.revisions.length);
  for await (const change of client.changes({ kind: 'vault' })) {
    const one: Change = change;
    console.log(one.change_id);
  }
  const csv: ReadableStream<Uint8Array> = await client.listFeesCsv({ day_from: '2026-01-01' });
  console.log(csv);
}
// @ts-expect-error no such filter
client.listTransactions({ stauts: 'completed' });
// @ts-expect-error no such order
client.listFees({ sort: 'fee' });
// @ts-expect-error a whole list has no pages
client.listFeesCsv({ limit: 5 });
// @ts-expect-error which one?
client.getTransaction();
// @ts-expect-error accounts are of no account
client.listAccounts({ account: 'acme' });
// @ts-expect-error no such operation
client.listNothing();
`;

test('queries and rows have the types of their operation, with Node.js and in browsers', () => {
  expect(compile('with-node', typed, withNode)).toBe('');
  expect(compile('in-browsers', typed, asInBrowsers)).toBe('');
});

test('the package exports the client and nothing else', () => {
  const program = `
    const { createClient } = await import('custody-mirror/client');
    const refused = await import('custody-mirror/dist/src/cli/main.js').catch(({ code }) => code);
    console.log(typeof createClient, refused);`;
  writeFileSync(join(home, 'exports.js'), program);
  const { stdout, stderr } = spawnSync(process.execPath, ['exports.js'], { cwd: home, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['function ERR_PACKAGE_PATH_NOT_EXPORTED\n', '']);
});
