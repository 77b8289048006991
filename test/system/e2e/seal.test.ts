// The sealed history from the command line: make a key, mirror and seal, verify, prove, export.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exposedKey } from '../../../src/cli/setup/verifying.ts';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { expireLease, startDaemon, stopGracefully } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';

async function sealedMirror() {
  const folder = newFolder();
  const [keyFile, file] = [join(folder, 'key'), join(folder, 'checkpoints')];
  const made = await runHere(['seal', 'init', keyFile, 'custody.example/acme'], { env: {} });
  expect(made.code).toBe(0);
  const [service, database] = [await serveSandbox(), await testDatabase()];
  const more = { SEAL_KEY_FILE: keyFile, SEAL_CHECKPOINTS_FILE: file };
  const cycle = await sync(service, database, more);
  expect(cycle.code).toBe(0);
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runHere(args, { env: { DATABASE_URL: database.url, ...env } });
  return { folder, keyFile, file, database, service, more, cycle, run, vkey: made.stdout.trim(), made };
}

test('a history is sealed by sync, and verified with the checkpoints and the key that verifies', async () => {
  const { keyFile, file, database, service, more, cycle, run, vkey, made, folder } = await sealedMirror();
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(vkey).toMatch(/^custody\.example\/acme\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+$/);
  const verify = ['verify', '--checkpoints', file, '--key', vkey];
  const whole = await run(verify);
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('intact: the history of default') });
  const alone = await run(['verify'], { SEAL_KEY_FILE: keyFile });
  expect(alone).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Only checkpoints of the database'),
  });
  // The file of the daemon is asked where no other one is named, and has the checkpoints of the database.
  expect((await run(['verify'], more)).stdout).toBe(whole.stdout);
  const none = await run(['verify'], { ...more, SEAL_CHECKPOINTS_FILE: join(folder, 'none') });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be read') });

  const key = readFileSync(keyFile, 'utf8').trim();
  const secret = key.split('+').slice(4).join('+');
  const [{ stored } = { stored: '' }] = await database.query<{ stored: string }>(
    `select string_agg(note, '') || (select string_agg(encode(entries, 'escape'), '') from internal.seal_tiles) as stored from sync.seal_checkpoints`,
  );
  for (const text of [made.stdout, made.stderr, cycle.stdout, cycle.stderr, whole.stdout, stored])
    expect(text).not.toContain(secret);

  const again = await run(['seal', 'init', keyFile, 'custody.example/acme']);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('exists') });
  expect(readFileSync(keyFile, 'utf8').trim()).toBe(key);

  const [row] = await database.query<{ transaction_id: string }>(
    'select transaction_id from custody.transaction_status_history order by change_id desc limit 1',
  );
  const id = row?.transaction_id ?? '';
  const proof = await run(['verify', '--key', vkey, '--row', 'transaction_status_history', id, '1']);
  expect(proof).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^c2sp\.org\/tlog-proof@v1\nextra .+\nindex \d+\n/),
  });
  expect(JSON.parse(proof.stderr)).toMatchObject({
    ...{ account_id: 'default', transaction_id: id, sequence: '1' },
    observed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/),
  });
  for (const words of [
    ['transaction_status_history', id],
    ['transactions', id],
    ['transaction_status_history', 'none', '1'],
    ['balance_snapshots', 'all', 'today'],
  ])
    expect((await run(['verify', '--key', vkey, '--row', ...words])).code).toBe(2);

  const exported = await run(['seal', 'export', join(folder, 'log')]);
  expect(exported.code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain(readFileSync(join(folder, 'log', 'checkpoint'), 'utf8'));
  expect(existsSync(join(folder, 'log', 'tile', 'entries', '000.p'))).toBe(true);
  const modes = ['', 'tile', 'checkpoint'].map((name) => statSync(join(folder, 'log', name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600]);

  await database.query(`do $do$ begin set local session_replication_role = replica;
    update custody.transaction_status_history set to_status = 'failed' where transaction_id = '${id}'; end $do$`);
  const changed = await run(verify);
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain(
    `transaction_status_history (account_id default, transaction_id ${id}, sequence 1) was changed`,
  );
  expect((await run(['verify', '--key', vkey, '--row', 'transaction_status_history', id, '1'])).code).toBe(1);
  await database.query('alter table custody.vaults enable row level security');
  const bent = await run(verify);
  expect(bent).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('SEAL-REFUSED') });
  await database.query('alter table custody.vaults disable row level security');
  const unreachable = await run(verify, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  expect(unreachable).toMatchObject({ code: 3, stderr: expect.stringContaining('DATABASE-') });
  expect((await sync(service, database, more)).code).toBe(0);
});

longTest('an older backup is a fork for verify, and nothing more is sealed', async () => {
  const { file, database, service, more, vkey } = await sealedMirror();
  const backup = await testDatabase({ copyOf: database });
  service.sandbox.advance(20);
  expect((await sync(service, database, more)).code).toBe(0);
  service.sandbox.advance(20);
  const restored = await sync(service, backup, more);
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining('SEAL-FORK') });
  const env = { DATABASE_URL: backup.url };
  const verdict = await runHere(['verify', '--checkpoints', file, '--key', vkey], { env });
  expect(verdict).toMatchObject({ code: 1, stdout: expect.stringContaining('fork') });
  // Sealed into another file, it is a second tree under the same key.
  const other = { ...more, SEAL_CHECKPOINTS_FILE: `${file}-other` };
  const missing = await sync(service, backup, other);
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('SEAL-REFUSED') });
  writeFileSync(`${file}-other`, '');
  expect((await sync(service, backup, other)).code).toBe(0);
  const second = await runHere(['verify', '--checkpoints', file, '--key', vkey], { env });
  expect(second).toMatchObject({ code: 1, stdout: expect.stringContaining('fork') });
});

longTest(
  'a log that a restore ended is a problem of health, and restarted under another name: both prove what they did',
  async () => {
    const { folder, keyFile, file, database, service, more, vkey } = await sealedMirror();
    const backup = await testDatabase({ copyOf: database });
    service.sandbox.advance(20);
    expect((await sync(service, database, more)).code).toBe(0);
    service.sandbox.advance(20);
    expect((await sync(service, backup, more)).code).toBe(1);
    const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runHere(args, { env: { ...environment(service, backup), ...env } });
    const sealProblem = expect.objectContaining({ code: 'sealing-stopped', severity: 'critical' });
    const problems = async () => JSON.parse((await run(['status', '--json'])).stdout).problems;
    expect(await problems()).toContainEqual(sealProblem);
    expect(await run(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining('seal restart') });

    // The same key would sign a second history, and the old file proves the first.
    const old = join(folder, 'acme-1');
    const newFile = { SEAL_CHECKPOINTS_FILE: `${file}-2` };
    const sameKey = await run(['seal', 'restart', old], { SEAL_KEY_FILE: keyFile, ...newFile });
    expect(sameKey).toMatchObject({ code: 2, stderr: expect.stringContaining('custody.example/acme-2') });
    const next = { SEAL_KEY_FILE: join(folder, 'key-2'), ...newFile };
    const init = await run(['seal', 'init', next.SEAL_KEY_FILE, 'custody.example/acme-2']);
    const sameFile = await run(['seal', 'restart', old], { ...next, SEAL_CHECKPOINTS_FILE: file });
    expect(sameFile).toMatchObject({ code: 2, stderr: expect.stringContaining('name a new file') });
    const daemon = await startDaemon(service, backup);
    await daemon.output(/"msg":"lease acquired"/);
    expect(await run(['seal', 'restart', old], next)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('LEASE-HELD'),
    });
    await stopGracefully(daemon);

    // What another log would refuse is refused before the old one is written.
    await backup.query('alter table custody.vaults enable row level security');
    const bent = await run(['seal', 'restart', old], next);
    expect(bent).toMatchObject({ code: 1, stderr: expect.stringContaining('SEAL-REFUSED') });
    expect(existsSync(old)).toBe(false);
    await backup.query('alter table custody.vaults disable row level security');
    mkdirSync(old);
    writeFileSync(next.SEAL_CHECKPOINTS_FILE, '');
    const restarted = await run(['seal', 'restart', old], next);
    expect(restarted, restarted.stderr).toMatchObject({ code: 0 });
    expect(restarted.stdout).toContain(init.stdout.trim());
    expect(await run(['seal', 'restart', old], next)).toMatchObject({ code: 2 });
    // The new log has begun: the old key begins none.
    expect(readFileSync(`${file}-2`, 'utf8')).toContain('custody.example/acme-2\n');
    for (const also of [{}, { SEAL_CHECKPOINTS_FILE: file }])
      expect(await sync(service, backup, { SEAL_KEY_FILE: keyFile, ...also })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('the key is named'),
      });
    expect((await sync(service, backup, next)).code).toBe(0);
    expect(await problems()).not.toContainEqual(sealProblem);
    expect(await run(['verify'], next)).toMatchObject({ code: 0 });
    // The rows that both have are still those of the old checkpoints, and the lost ones are evident.
    const both = ['--key', vkey, '--key', init.stdout.trim()];
    const kept = await run(['verify', '--checkpoints', join(old, 'checkpoints'), ...both]);
    expect(kept, kept.stdout + kept.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('intact'),
    });
    const lost = await run(['verify', '--checkpoints', file, ...both]);
    expect(lost).toMatchObject({ code: 1, stdout: expect.stringContaining('fork') });
    expect(existsSync(join(old, 'tile', '0', '000.p'))).toBe(true);
  },
  120_000,
);

test('a restart without a row says that the log begins later', async () => {
  const folder = newFolder();
  const [service, database] = [await serveSandbox(), await testDatabase()];
  const env = { ...environment(service, database), SEAL_KEY_FILE: join(folder, 'key') };
  await runHere(['seal', 'init', env.SEAL_KEY_FILE, 'custody.example/acme'], { env: {} });
  const restarted = await runHere(['seal', 'restart', join(folder, 'old')], { env });
  expect(restarted.stdout).toContain('The log custody.example/acme begins with the first row');
});

longTest('a stop while sealing waits behind other jobs is no failure', async () => {
  const folder = newFolder();
  const [service, database] = [await serveSandbox(), await testDatabase()];
  await runHere(['seal', 'init', join(folder, 'key'), 'custody.example/acme'], { env: {} });
  // A job that lasts.
  service.sandbox.faults.add({
    kind: 'slow',
    delayMs: 60_000,
    when: ({ endpoint }) => endpoint === 'whitelist',
  });
  const daemon = await startDaemon(service, database, {
    SCHEDULE_SEAL: '* * * * * *',
    SEAL_KEY_FILE: join(folder, 'key'),
  });
  await daemon.output(/"msg":"history sealed"/);
  await stopGracefully(daemon);
  expect(daemon.stderr()).not.toContain('job failed');
});

longTest('two writers over a failover give one log', async () => {
  const folder = newFolder();
  const [service, database] = [await serveSandbox(), await testDatabase()];
  const made = await runHere(['seal', 'init', join(folder, 'key'), 'custody.example/acme'], { env: {} });
  const start = (name: string) =>
    startDaemon(service, database, {
      SCHEDULE_SEAL: '* * * * * *',
      SEAL_KEY_FILE: join(folder, 'key'),
      SEAL_CHECKPOINTS_FILE: join(folder, name),
    });
  const sealed = async () => {
    const notes = await database.query<{ note: string }>(
      'select note from sync.seal_checkpoints order by tree_size',
    );
    return notes.map(({ note }) => `${note}\n`).join('');
  };
  const first = await start('first');
  await first.output(/"msg":"history sealed"/);
  // A standby with a file of its own would be refused when it takes over: doctor says so before.
  const standby = {
    SEAL_KEY_FILE: join(folder, 'key'),
    SEAL_CHECKPOINTS_FILE: join(folder, 'second'),
  };
  const doctor = () => runHere(['doctor'], { env: environment(service, database, standby) });
  expect((await doctor()).stdout.replace(/\s+/g, ' ')).toMatch(
    /SEAL_CHECKPOINTS_FILE .*create it empty \(touch/,
  );
  writeFileSync(join(folder, 'second'), '');
  expect((await doctor()).stdout).not.toContain('SEAL_CHECKPOINTS_FILE');
  const second = await start('second');
  first.kill('SIGKILL');
  await first.exit();
  await expireLease(database);
  service.sandbox.advance(20);
  await second.output(/"msg":"history sealed"/);
  await stopGracefully(second);
  const all = await sealed();
  expect(readFileSync(join(folder, 'second'), 'utf8')).toBe(all);
  expect(all.startsWith(readFileSync(join(folder, 'first'), 'utf8'))).toBe(true);
  const key = made.stdout.trim();
  for (const name of ['first', 'second']) {
    const args = ['verify', '--key', key, '--checkpoints', join(folder, name)];
    expect((await runHere(args, { env: { DATABASE_URL: database.url } })).code).toBe(0);
  }
});

test('a key or a file that does not serve is bad input, and names the fix', async () => {
  const folder = newFolder();
  const [service, database] = [await serveSandbox(), await testDatabase()];
  const keyFile = join(folder, 'key');
  for (const content of ['', 'something', '-----BEGIN PRIVATE KEY-----', 'PRIVATE+KEY+a+00000000+AAAA']) {
    writeFileSync(keyFile, content);
    const refused = await sync(service, database, { SEAL_KEY_FILE: keyFile });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('SEAL_KEY') });
    if (content !== '') expect(refused.stderr).not.toContain(content);
  }
  expect((await sync(service, database, { SEAL_KEY_FILE: join(folder, 'none') })).code).toBe(2);
  const keyless = { SEAL_CHECKPOINTS_FILE: join(folder, 'checkpoints') };
  const nothing = { code: 2, stderr: expect.stringMatching(/set\s+SEAL_KEY_FILE too/) };
  expect(await sync(service, database, keyless)).toMatchObject(nothing);
  const examined = await runHere(['doctor'], { env: environment(service, database, keyless) });
  expect(examined).toMatchObject({ code: 1, stdout: expect.stringMatching(/set\s+SEAL_KEY_FILE too/) });
  expect((await runHere(['seal', 'init', keyFile, 'a b'], { env: {} })).code).toBe(2);
  expect((await runHere(['seal', 'init', join(folder, 'none', 'key'), 'a'], { env: {} })).code).toBe(2);
  const env = { DATABASE_URL: database.url };
  expect((await sync(service, database)).code).toBe(0);
  expect((await runHere(['verify'], { env })).code).toBe(2);
  expect((await runHere(['verify', '--key', 'something'], { env })).code).toBe(2);
  const key = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
  expect(await runHere(['verify', '--key', key], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing of account'),
  });
  expect((await runHere(['seal', 'export', folder], { env })).code).toBe(2);
  expect(await database.query('select from sync.seal_checkpoints')).toEqual([]);
});

longTest('a private key that others may read is reported by sync and doctor, with the fix', async () => {
  const { keyFile, service, database, more } = await sealedMirror();
  const fix = expect.stringContaining(`chmod 600 ${keyFile}`);
  const doctor = () => runHere(['doctor'], { env: environment(service, database, more) });
  for (const mode of [0o640, 0o604, 0o620, 0o666]) {
    chmodSync(keyFile, mode);
    expect(await sync(service, database, more)).toMatchObject({ code: 0, stderr: fix });
    expect(await doctor()).toMatchObject({ code: 0, stdout: fix });
  }
  chmodSync(keyFile, 0o600);
  expect((await sync(service, database, more)).stderr).not.toContain('chmod');
  expect((await doctor()).stdout).not.toContain('chmod');
  // A file that cannot be examined.
  const loop = `${keyFile}-loop`;
  symlinkSync(loop, loop);
  expect(exposedKey({ env: { SEAL_KEY_FILE: loop } })).toMatchObject({
    problem: expect.stringContaining('ELOOP'),
  });
});

longTest(
  'a daemon that verifies on schedule finds a forged amount, says so, and says when it is gone',
  async () => {
    const { service, database, more, run } = await sealedMirror();
    await expireLease(database);
    const daemon = await startDaemon(service, database, {
      ...more,
      SCHEDULE_TRANSACTIONS: 'off',
      SCHEDULE_RECONCILE: 'off',
      SCHEDULE_VERIFY: '* * * * * *',
    });
    const verified = async () => (await run(['status'])).stdout;
    await expect.poll(verified).toMatch(/verified .*: [\d,]+ rows as they were sealed/);
    const [forged] = await database.query<{ id: string; amount: string }>(
      `update custody.transactions t set amount = t.amount + 1 from (
       select transaction_id, amount from custody.transactions where amount is not null limit 1) as f
     where t.transaction_id = f.transaction_id returning t.transaction_id as id, f.amount::text`,
    );
    const id = forged?.id ?? '';
    await expect
      .poll(() => run(['status']))
      .toMatchObject({
        code: 1,
        stdout: expect.stringMatching(
          /The sealed history was altered:\s+amount\s+of\s+custody\.transactions/,
        ),
      });
    expect((await run(['status', '--json'])).stdout).toContain(id);
    const examined = await runHere(['doctor'], { env: environment(service, database, more) });
    expect(examined.code).toBe(1);
    expect(examined.stdout).toMatch(
      /sealed history\s+[\d,]+ rows sealed[\s\S]+verification\s+not as it was sealed/,
    );
    await expect
      .poll(async () => (await daemon.get('/metrics')).text)
      .toMatch(/health_problem\{code="history-altered",severity="critical"/);
    expect((await daemon.get('/sync')).text).toContain('not as it was sealed');
    await database.query('update custody.transactions set amount = $2 where transaction_id = $1', [
      id,
      forged?.amount,
    ]);
    await expect.poll(verified).toMatch(/Healthy[\s\S]*as they were sealed/);
    await stopGracefully(daemon);
  },
  120_000,
);
