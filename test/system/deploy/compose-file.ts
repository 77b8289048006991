// What the tests of the files of Compose share.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { z } from 'zod';
import { variableNames } from '../../../src/base/config/variables.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

export const composeService = z.looseObject({
  image: z.string(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  secrets: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  init: z.boolean().default(false),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  restart: z.string(),
});

/** `${NAME:-default}` with no NAME set. */
export const byDefault = (text: string) => text.replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1');

/** What a daemon is handed: every variable that it reads, but secrets and where it listens. */
export const handedOn = [...variableNames]
  .filter(
    (name) =>
      ![
        'CUSTODY_API_KEY',
        'DATABASE_URL',
        'HTTP_TOKEN',
        'HTTP_HOST',
        'HTTP_PORT',
        'HTTP_PROBES_PORT',
      ].includes(name) &&
      // Secrets that a deployment need not have.
      !/^(HTTP_DATABASE_URL|SEAL_KEY|HTTPS?_PROXY_FILE)/.test(name) &&
      // The other spelling. Small letters win, so of HTTP_PROXY both are emptied.
      !['https_proxy', 'no_proxy'].includes(name),
  )
  .toSorted();

/** Nothing is reachable from outside, and nothing may do more than it must. */
export function expectConfinedService({
  ports,
  cap_drop,
  security_opt,
  restart,
}: Pick<z.infer<typeof composeService>, 'ports' | 'cap_drop' | 'security_opt' | 'restart'>): void {
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  expect([cap_drop, security_opt, restart]).toEqual([['ALL'], ['no-new-privileges:true'], 'unless-stopped']);
}
