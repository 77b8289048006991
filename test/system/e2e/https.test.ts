// The custody service over https: only a certificate for its name, of an authority that is trusted, is sent
// the key. NODE_EXTRA_CA_CERTS names one of the operator's own.
import { expect, test } from 'vitest';
import { createAuthority } from '../../support/certificates.ts';
import { environment, serveSandbox, syncProcess } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { encrypted } from '../../support/encrypted.ts';
import { longTest, sampled } from '../../support/form.ts';
import { runProcess } from '../../support/process.ts';
import { expectTruth } from '../../support/truth.ts';

longTest('an authority that NODE_EXTRA_CA_CERTS names is trusted, for the names it certified', async () => {
  const [service, database, authority] = await Promise.all([
    serveSandbox(),
    testDatabase(),
    createAuthority(),
  ]);
  const port = await encrypted(service.url, await authority.issue(['localhost']));
  const trusting = { NODE_EXTRA_CA_CERTS: authority.file };
  const url = `https://localhost:${port}`;
  const run = await syncProcess({ url }, database, trusting);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  await expectTruth(database, service.sandbox);
  const examined = await runProcess(['doctor'], { env: environment({ url }, database, trusting) });
  expect(examined, examined.stdout).toMatchObject({ code: 0 });
  expect(examined.stdout).toMatch(/encryption +TLSv1\.3, certificate valid/);

  const before = service.sandbox.requests.total;
  const elsewhere = await testDatabase();
  const misnamed = await syncProcess({ url: `https://127.0.0.1:${port}` }, elsewhere, {
    ...trusting,
    CUSTODY_RETRIES: '0',
  });
  expect(misnamed).toMatchObject({ code: 1 });
  expect(misnamed.stdout).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(service.sandbox.requests.total).toBe(before);
});

const distrusted = [
  { who: 'nobody vouches for', trust: async () => ({}) },
  {
    who: 'another authority vouches for',
    trust: async () => ({ NODE_EXTRA_CA_CERTS: (await createAuthority()).file }),
  },
  {
    who: 'is out of date',
    validity: { from: new Date('2020-01-01'), until: new Date('2020-02-01') },
    trust: async (file: string) => ({ NODE_EXTRA_CA_CERTS: file }),
  },
];

test.each(sampled(distrusted, { every: 3 }))(
  'a service whose certificate $who is sent nothing',
  async ({ trust, validity }) => {
    const [service, database, authority] = await Promise.all([
      serveSandbox(),
      testDatabase(),
      createAuthority(),
    ]);
    const port = await encrypted(service.url, await authority.issue(['localhost'], validity));
    // It is not tried again: with retries this would take a minute and more.
    const env = { ...(await trust(authority.file)), CUSTODY_RETRIES: '8' };
    const url = `https://localhost:${port}`;
    const run = await syncProcess({ url }, database, env);
    expect(run).toMatchObject({ code: 1 });
    expect(run.stdout).toMatch(/transactions: failed: .*CERTIFICATE: .*(certificate|CERT)/i);
    const examined = await runProcess(['doctor'], { env: environment({ url }, database, env) });
    expect(examined.stdout).toMatch(/FAULT +encryption/);
    expect(service.sandbox.requests.total).toBe(0);
  },
);
