// deploy/compose/sealed.yaml, laid over docker-compose.yml: the program takes the key and the file that it
// mounts. It runs in test/system/container/compose.sh, on a Docker engine.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseConfig } from '../../../src/base/config/config.ts';
import { byDefault, composeService, read } from './compose-file.ts';

const key = 'PRIVATE+KEY+custody.example/acme+0a1b2c3d+AQ==';
const { environment, volumes, secrets } = z
  .strictObject({
    services: z.strictObject({
      mirror: z.strictObject({
        environment: z.record(z.string(), z.string()),
        secrets: z.tuple([z.literal('seal_key')]),
        volumes: z.tuple([z.string()]),
      }),
    }),
    secrets: z.strictObject({ seal_key: z.strictObject({ file: z.string() }) }),
  })
  .transform(({ services: { mirror }, ...rest }) => ({ ...mirror, ...rest }))
  .parse(parse(read('deploy/compose/sealed.yaml')));

test('the daemon gets the key, and a file in the directory that is mounted', () => {
  const { mirror } = z
    .looseObject({ services: z.looseObject({ mirror: composeService }) })
    .parse(parse(read('docker-compose.yml'))).services;
  const both = { ...mirror.environment, ...environment };
  const env = Object.fromEntries(Object.entries(both).map(([name, value]) => [name, byDefault(value ?? '')]));
  const readFile = (path: string) =>
    path === '/run/secrets/seal_key' ? key : read(`deploy/compose/demo/${path.replace('/run/secrets/', '')}`);
  const { seal } = parseConfig({ env, readFile, isTerminal: false });
  const target = volumes[0].split(':').at(-1);
  expect([seal.key?.reveal(), seal.checkpointsFile]).toEqual([key, `${target}/checkpoints`]);
});

test('the two directories have no default: those of the demo hold no key', () => {
  expect(volumes[0]).toMatch(/^\$\{CHECKPOINTS_DIRECTORY:\?[^}]+\}:/);
  expect(secrets.seal_key.file).toMatch(/^\$\{SECRETS_DIRECTORY:\?[^}]+\}\/seal_key$/);
});

test('docs/container.md names the variable and both files', () => {
  const text = read('docs/container.md');
  expect(text).toContain('\nCHECKPOINTS_DIRECTORY=');
  expect(text).toContain('\nCOMPOSE_FILE=docker-compose.yml:deploy/compose/sealed.yaml\n');
});
