// Dockerfile and docker-compose.yml against the program: what they name is there, what they pass on is what
// it reads, and the rules they follow. That they run is for test/system/container, on a Docker engine.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createSandbox } from '../../../packages/sandbox/src/sandbox.ts';
import { parseConfig } from '../../../src/base/config/config.ts';
import { packageVersion } from '../../../src/cli/setup/command-scope.ts';
import { byDefault, composeService, expectConfinedService, handedOn, read, root } from './compose-file.ts';

const dockerfile = read('Dockerfile');

const compose = z
  .looseObject({
    services: z.looseObject({
      postgres: composeService,
      mirror: composeService,
      sandbox: composeService,
      grafana: composeService,
    }),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
  })
  .parse(parse(read('docker-compose.yml')));
const { postgres, mirror, sandbox, grafana } = compose.services;
const fixed = ['CUSTODY_API_KEY_FILE', 'DATABASE_URL_FILE', 'HTTP_TOKEN_FILE'];

test('the daemon is handed every variable that it reads, but secrets and where it listens', () => {
  expect(Object.keys(mirror.environment).toSorted()).toEqual(handedOn);
});

test('in Compose it answers to the name that the other services know it by', () => {
  expect(byDefault(mirror.environment['HTTP_ALLOWED_HOSTS'] ?? '')).toBe('mirror');
});

test('without a .env everything is set, and the daemon reads the sandbox', () => {
  const env = Object.fromEntries(
    Object.entries(mirror.environment).map(([name, value]) => [name, byDefault(value ?? '')]),
  );
  const readFile = (path: string) => {
    const name = path.replace('/run/secrets/', '');
    expect(mirror.secrets).toContain(name);
    return read(byDefault(compose.secrets[name]?.file ?? ''));
  };
  const { custody, http } = parseConfig({ env, readFile, isTerminal: false });
  expect(read('docs/container.md')).toContain(`\`${http.token?.reveal()}\``);
  const port = sandbox.command[sandbox.command.indexOf('--port') + 1];
  expect(custody.baseUrl.host).toBe(`sandbox.localhost:${port}`);
  expect(read('docker-compose.yml')).toMatch(/^ +- sandbox\.localhost$/m);
  expect(custody.key.reveal()).toBe(createSandbox({ transactions: 0 }).apiKey);
});

test('the memory of the daemon is bounded: its young generation in the image, the whole in Compose', () => {
  expect(dockerfile).toMatch(/^ENV .*\bNODE_OPTIONS=--max-semi-space-size=8\b/m);
  expect(mirror['mem_limit']).toBe('512m');
});

test('no signal opens a debugger in the image, and no chart or file starts it otherwise', () => {
  expect(dockerfile).toMatch(
    /^ENTRYPOINT \["node", "--disable-sigusr1", "\/app\/dist\/src\/cli\/main\.js"\]$/m,
  );
  const charts = ['kubernetes/deployment.yaml', 'helm/templates/_helpers.tpl', 'helm/templates/migrate.yaml'];
  for (const chart of charts) expect(read(`deploy/${chart}`)).not.toMatch(/^ *command:/m);
});

test('.env.example names what the file takes from it', () => {
  const example = read('.env.example');
  const taken = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name);
  expect(taken).toContain('SECRETS_DIRECTORY');
  for (const name of taken) expect(example).toMatch(new RegExp(`^#?${name}=`, 'm'));
});

test('secrets are files, each for those alone that need it', () => {
  expect([postgres.secrets, mirror.secrets, sandbox.secrets, grafana.secrets]).toEqual([
    ['database_url'],
    ['database_url', 'custody_api_key', 'http_token'],
    [],
    ['grafana_admin_password', 'grafana_database_password'],
  ]);
  for (const name of fixed) expect(mirror.environment[name]).toMatch(/^\/run\/secrets\/\w+$/);
  expect(Object.keys(compose.secrets).toSorted()).toEqual([...mirror.secrets, ...grafana.secrets].toSorted());
});

test('nothing is reachable from outside, and nothing may do more than it must', () => {
  for (const each of [postgres, mirror, sandbox, grafana]) expectConfinedService(each);
  for (const { read_only, init } of [mirror, sandbox]) expect([read_only, init]).toEqual([true, true]);
  expect([sandbox.profiles, grafana.profiles]).toEqual([['demo'], ['dashboards']]);
});

test('what is mounted is there', () => {
  const mounted = postgres.volumes
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((path) => /^\./.test(path));
  expect(mounted).toEqual(['./deploy/compose/postgres']);
  for (const path of mounted) expect(existsSync(`${root}/${path}`)).toBe(true);
});

test('the image is of this version, and every builder can build it', () => {
  expect(dockerfile).toContain(`org.opencontainers.image.version="${packageVersion()}"`);
  expect(dockerfile).toContain(
    `org.opencontainers.image.licenses="${JSON.parse(read('package.json')).license}"`,
  );
  for (const given of ['revision', 'created', 'source'])
    expect(dockerfile).toContain(`org.opencontainers.image.${given}="\${${given.toUpperCase()}}"`);
  expect(dockerfile).not.toMatch(/RUN --|COPY --(link|chmod|parents)|<<|^# *syntax=/m);
  expect(dockerfile).toMatch(/^USER 1000:1000$/m);
});

test('what goes into the build is listed, not what stays out', () => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  for (const line of lines.filter((found) => found.startsWith('!')))
    expect(existsSync(`${root}/${line.slice(1)}`)).toBe(true);
});
