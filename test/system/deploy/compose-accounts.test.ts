// deploy/compose/accounts.yaml, the example of Compose with several accounts, against the program and against
// docker-compose.yml. It runs in test/system/container/accounts.sh, on a Docker engine.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createSandbox } from '../../../packages/sandbox/src/sandbox.ts';
import { parseConfig, parseDatabaseConfig } from '../../../src/base/config/config.ts';
import { byDefault, composeService, expectConfinedService, handedOn, read } from './compose-file.ts';

const secret = z.union([
  z.string().transform((name) => ({ source: name, target: name })),
  z.strictObject({ source: z.string(), target: z.string() }),
]);
const service = composeService.extend({ secrets: z.array(secret) });
const extending = z.strictObject({
  extends: z.strictObject({ file: z.literal('docker-compose.yml'), service: z.string() }),
});
const { services, secrets } = z
  .looseObject({
    services: z.strictObject({
      postgres: extending,
      sandbox: extending,
      treasury: service,
      fund: service,
      serve: service,
    }),
    secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
  })
  .parse(parse(read('deploy/compose/accounts.yaml'), { merge: true }));
const { treasury, fund, serve, postgres, sandbox } = services;

/** What the program is given, with no .env. */
function sourcesOf({ environment, secrets: mounted }: z.infer<typeof service>) {
  const env = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, byDefault(value ?? '')]),
  );
  const readFile = (path: string) => {
    const from = mounted.find(({ target }) => `/run/secrets/${target}` === path)?.source ?? '';
    return read(byDefault(secrets[from]?.file ?? ''));
  };
  return { env, readFile, isTerminal: false };
}

test('each account has a writer with its name, its key and the address of a service, from one template', () => {
  const writers = { treasury, fund };
  const configs = Object.entries(writers).map(
    ([name, writer]) => [name, parseConfig(sourcesOf(writer))] as const,
  );
  for (const [name, { custody, http }] of configs) {
    expect([custody.account, custody.baseUrl.host, http.serve]).toEqual([
      name,
      'sandbox.localhost:8788',
      'probes',
    ]);
    expect(custody.key.reveal()).toBe(createSandbox({ transactions: 0 }).apiKey);
  }
  const common = ({ environment, secrets: _, ...others }: z.infer<typeof service>) => ({
    ...others,
    environment: { ...environment, CUSTODY_ACCOUNT: null, CUSTODY_BASE_URL: null },
  });
  expect(common(treasury)).toEqual(common(fund));
});

test('what serves takes its configuration, and no key of a service', () => {
  expect(serve.command).toEqual(['serve']);
  const { http } = parseDatabaseConfig(sourcesOf(serve));
  expect(http).toMatchObject({ serve: 'all', allowedHosts: ['serve'] });
  expect(serve.secrets.map(({ source }) => source)).toEqual(['database_url', 'http_token']);
  expect(Object.keys(serve.environment).filter((name) => name.startsWith('CUSTODY'))).toEqual([]);
});

test('together they are handed what the daemon of docker-compose.yml is', () => {
  const names = [treasury, serve].flatMap(({ environment }) => Object.keys(environment));
  expect([...new Set(names)].toSorted()).toEqual(handedOn);
});

test('each is confined as those of docker-compose.yml are, and has the secrets that it needs', () => {
  for (const each of [treasury, fund, serve]) {
    expectConfinedService(each);
    expect(each).toMatchObject({ read_only: true, init: true, mem_limit: '512m', image: 'custody-mirror' });
  }
  expect([treasury.ports, fund.ports]).toEqual([[], []]);
  for (const [name, writer] of Object.entries({ treasury, fund }))
    expect(writer.secrets.map(({ source }) => source)).toEqual([
      'database_url',
      'http_token',
      `${name}_api_key`,
    ]);
  expect([postgres, sandbox].map(({ extends: { service: name } }) => name)).toEqual(['postgres', 'sandbox']);
});
