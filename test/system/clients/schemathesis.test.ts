// Schemathesis asks the read API what its document allows, and what it does not, in all phases and with all
// checks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { startProcess } from '../../support/process.ts';
import { installed } from './installed.ts';
import { runClient } from './mirror-for-readers.ts';

const schemathesis = installed('schemathesis');
const spec = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));
const hooks = fileURLToPath(new URL('schemathesis/hooks.py', import.meta.url));
const token = 'token-of-the-test';

test.skipIf(schemathesis.missing !== '')(
  `no answer of the API differs from its document, and no request makes it fail${schemathesis.missing}`,
  async () => {
    const [service, database] = await Promise.all([serveSandbox({ frozen: true }), testDatabase()]);
    const daemon = startProcess(['run'], {
      env: environment(service, database, { HTTP_TOKEN: token, HTTP_RATE_LIMIT: 'off' }),
    });
    const [, url = ''] = await daemon.output(/"url":"(http:[^"]+)"/);
    await daemon.output(/"job":"whitelist"[^\n]*"msg":"run succeeded"/);
    const folder = newFolder();
    writeFileSync(join(folder, 'schemathesis.toml'), '');
    const { stdout } = runClient(
      join(schemathesis.directory, 'env/bin/st'),
      [
        'run',
        spec,
        ...['--url', `${url}/api`, '--header', `Authorization: Bearer ${token}`],
        ...['--checks', 'all', '--max-examples', '10', '--generation-deterministic', '--no-color'],
        // It guesses keys beside the good one, and more of them than one address may: test/http/access holds
        // what that gives.
        ...['--exclude-checks', 'ignored_auth'],
        // Longer than the longest wait for changes.
        ...['--request-timeout', '40', '--max-response-time', '40', '--suppress-health-check', 'all'],
      ],
      { cwd: folder, env: { SCHEMATHESIS_HOOKS: hooks } },
    );
    expect(stdout).not.toMatch(/❌/);
    expect(stdout).toMatch(/Tested: \d+/);
  },
  900_000,
);
