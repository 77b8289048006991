// The custody service behind a proxy: the built command mirrors through it, names it where it is at
// fault, and shows its password nowhere.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAuthority } from '../../support/certificates.ts';
import { environment, serveSandbox, syncProcess } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { encrypted } from '../../support/encrypted.ts';
import { newFolder } from '../../support/folder.ts';
import { longTest, sampled } from '../../support/form.ts';
import { runProcess } from '../../support/process.ts';
import { startProxy } from '../../support/proxy.ts';
import { expectTruth } from '../../support/truth.ts';

const password = 'pass-7f3d1e5b/9';
const credentials = `treasury:${password}`;
const user = `treasury:${encodeURIComponent(password)}`;
const secret = new RegExp(
  [password, encodeURIComponent(password), Buffer.from(credentials).toString('base64')].join('|'),
);

test.each(sampled([{ isEncrypted: false }, { isEncrypted: true }], { every: 2, from: 1 }))(
  'an https service is mirrored through a proxy that wants a password (itself encrypted: $isEncrypted)',
  async ({ isEncrypted }) => {
    const [service, database, authority] = await Promise.all([
      serveSandbox(),
      testDatabase(),
      createAuthority(),
    ]);
    const port = await encrypted(service.url, await authority.issue(['custody.test']));
    const certificate = isEncrypted ? { certificate: await authority.issue(['localhost']) } : {};
    const proxy = await startProxy({ credentials, port, ...certificate });
    const trusting = { NODE_EXTRA_CA_CERTS: authority.file };
    // A name that nobody but the proxy can look up.
    const url = 'https://custody.test';
    const protocol = isEncrypted ? 'https' : 'http';
    const env = {
      ...trusting,
      HTTPS_PROXY: `${protocol}://${user}@localhost:${proxy.port}`,
      LOG_LEVEL: 'trace',
    };
    const run = await syncProcess({ url }, database, env);
    expect(run, run.stderr).toMatchObject({ code: 0 });
    await expectTruth(database, service.sandbox);
    expect(new Set(proxy.asked)).toEqual(new Set(['custody.test:443']));
    expect(run.stdout + run.stderr).not.toMatch(secret);

    const examined = await runProcess(['doctor'], { env: environment({ url }, database, env) });
    expect(examined, examined.stdout).toMatchObject({ code: 0 });
    expect(examined.stdout).toMatch(new RegExp(`route +through the proxy localhost:${proxy.port}`));
    expect(examined.stdout).toMatch(/encryption +TLSv1\.3, certificate valid/);
    expect(examined.stdout + examined.stderr).not.toMatch(secret);
  },
);

longTest(
  'a wrong password is a fault of the proxy for sync, doctor and status, and is repeated by none of them',
  async () => {
    const [service, database, authority] = await Promise.all([
      serveSandbox(),
      testDatabase(),
      createAuthority(),
    ]);
    const port = await encrypted(service.url, await authority.issue(['custody.test']));
    const proxy = await startProxy({ credentials: 'treasury:another', port });
    const file = join(newFolder(), 'proxy');
    writeFileSync(file, `http://${user}@127.0.0.1:${proxy.port}\n`, { mode: 0o600 });
    const url = 'https://custody.test';
    const env = { NODE_EXTRA_CA_CERTS: authority.file, HTTPS_PROXY_FILE: file, LOG_LEVEL: 'trace' };
    const run = await syncProcess({ url }, database, env);
    expect(run).toMatchObject({ code: 1 });
    expect(run.stdout).toMatch(
      /PROXY: the proxy 127\.0\.0\.1:\d+ refused a tunnel to custody\.test:443 with HTTP 407/,
    );
    const told = [run.stdout, run.stderr];
    for (const args of [['doctor'], ['status'], ['status', '--json']]) {
      const { stdout, stderr } = await runProcess(args, { env: environment({ url }, database, env) });
      if (args[0] === 'doctor')
        expect(stdout).toMatch(/FAULT +encryption +the proxy 127\.0\.0\.1:\d+ refused/);
      told.push(stdout, stderr);
    }
    expect(told.join('\n')).not.toMatch(secret);
    const stored = await database.query('select error_code, error_message from sync.runs');
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toMatch(secret);
    expect(JSON.stringify(stored)).toContain('PROXY');
    expect(service.sandbox.requests.total).toBe(0);
  },
);

longTest('an http service of this machine goes through HTTP_PROXY, unless NO_PROXY names it', async () => {
  const [service, database, proxy] = await Promise.all([serveSandbox(), testDatabase(), startProxy()]);
  const env = { http_proxy: `127.0.0.1:${proxy.port}`, HTTPS_PROXY: 'http://unused.invalid:1' };
  const run = await syncProcess(service, database, env);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(proxy.asked.length).toBeGreaterThan(0);
  const before = proxy.asked.length;
  const direct = await syncProcess(service, database, { ...env, NO_PROXY: 'other.example,127.0.0.0/8' });
  expect(direct, direct.stderr).toMatchObject({ code: 0 });
  expect(proxy.asked).toHaveLength(before);
});
