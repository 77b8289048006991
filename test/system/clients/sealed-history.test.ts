// The sealed history, checked by programs that share no code with it: Go's packages for transparency logs
// read key, tiles and proof, and a program written from docs/sealing-format.md alone computes the hashes from
// the tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { readCheckpoint, readVerifier } from '../../../src/seal/note.ts';
import { serveSandbox, sync } from '../../support/command.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { runHere } from '../../support/in-process.ts';
import { installed } from './installed.ts';
import { runClient, runClientToEnd } from './mirror-for-readers.ts';

const go = installed('go');
const python = installed('python');
const goProgram = join(go.directory, 'sealedlog');
let folder = '';
let database: TestDatabase;
let vkey = '';
const at = (name: string) => join(folder, name);

async function command(args: readonly string[]) {
  const run = await runHere(args, { env: { DATABASE_URL: database.url } });
  expect(run, run.stderr).toMatchObject({ code: 0 });
  return run.stdout;
}

beforeAll(async () => {
  if (go.missing !== '' && python.missing !== '') return;
  folder = newFolder();
  database = await testDatabase();
  vkey = (await command(['seal', 'init', at('key'), 'custody.example/acme'])).trim();
  const service = await serveSandbox({ transactions: 1_500 });
  for (let nth = 0; nth < 3; nth += 1) {
    const sealed = { SEAL_KEY_FILE: at('key'), SEAL_CHECKPOINTS_FILE: at('checkpoints') };
    const run = await sync(service, database, sealed);
    expect(run, run.stderr).toMatchObject({ code: 0 });
    service.sandbox.advance(30);
  }
}, 600_000);

test.skipIf(go.missing !== '')(
  `Go verifies the checkpoint, every entry, an earlier checkpoint and the proof of a row${go.missing}`,
  async () => {
    await command(['seal', 'export', at('log')]);
    const lines = readFileSync(at('checkpoints'), 'utf8').split('\n');
    const first = `${lines.slice(0, 5).join('\n')}\n`;
    writeFileSync(at('earlier'), first);
    const [row] = await database.query<{ id: string }>(
      'select transaction_id as id from custody.transaction_status_history order by change_id offset 700 limit 1',
    );
    const words = ['transaction_status_history', row?.id ?? '', '1'];
    writeFileSync(at('proof'), await command(['verify', '--key', vkey, '--row', ...words]));
    const { stdout } = runClient(goProgram, [vkey, at('log'), at('earlier'), at('proof')]);
    const [{ size } = { size: 0 }] = await database.query<{ size: number }>(
      'select max(tree_size)::int as size from sync.seal_checkpoints',
    );
    expect(size).toBeGreaterThan(1_500);
    expect(stdout).toContain(`${size} entries`);
  },
  600_000,
);

test.skipIf(go.missing !== '')(`what Go signs with the key is read as its own${go.missing}`, async () => {
  const text = `custody.example/acme\n3\n${Buffer.alloc(32, 7).toString('base64')}\n`;
  const { stdout } = runClient(goProgram, ['sign', at('key'), text]);
  expect(readVerifier(vkey)?.open(stdout)).toMatchObject({ origin: 'custody.example/acme', size: 3 });
});

test.skipIf(python.missing !== '')(
  `a program written from the document computes the same roots, and finds a changed row${python.missing}`,
  async () => {
    const url = new URL(database.url);
    const program = fileURLToPath(new URL('sealed_history.py', import.meta.url));
    const env = { READER_URL: url.href.replace(/^postgres:/, 'postgresql:') };
    const check = () => runClientToEnd(join(python.directory, 'env/bin/python'), [program], { env });
    const { status, stdout, stderr } = check();
    expect(status, stderr).toBe(0);
    const stored = await database.query<{ note: string }>('select note from sync.seal_checkpoints');
    const roots = stored.map(({ note }) => {
      const { size = 0, root = '' } = readCheckpoint(note) ?? {};
      return [String(size), Buffer.from(root, 'latin1').toString('hex')];
    });
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(roots));
    for (const [table, id, column, change, back] of [
      ['custody.transactions', 'transaction_id', 'amount', 'amount + 1', 'amount - 1'],
      ['custody.transactions', 'transaction_id', 'network_id', `network_id || '.'`, 'left(network_id, -1)'],
      ['custody.vaults', 'vault_id', 'name', `name || '.'`, 'left(name, -1)'],
      ['custody.whitelist_entries', 'entry_id', 'address', `address || '.'`, 'left(address, -1)'],
    ] as const) {
      const set = (to: string) =>
        database.query(`do $$ begin set local session_replication_role = replica;
          update ${table} set ${column} = ${to} where ${id} = (select min(${id}) from ${table}); end $$`);
      await set(change);
      expect(check().stderr).toContain(`: ${column} is`);
      await set(back);
    }
  },
  600_000,
);
