// The alert rules as promtool evaluates them, and the example for Alertmanager as amtool reads it.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { installed } from './installed.ts';

const { directory, missing } = installed('prometheus');
const deployed = fileURLToPath(new URL('../../../deploy/prometheus', import.meta.url));
const rules = readdirSync(deployed).filter((name) => name.endsWith('.rules.yaml'));
const cases = readdirSync(join(deployed, 'tests')).map((name) => join('tests', name));

/** What the program prints; it must end with 0. */
function run(program: 'promtool' | 'amtool', ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(join(directory, program), args, {
    cwd: deployed,
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

test.skipIf(missing !== '')(`promtool finds no fault in the rules${missing}`, () => {
  expect(rules).toHaveLength(2);
  expect(run('promtool', 'check', 'rules', '--lint=all', '--lint-fatal', ...rules)).toContain('SUCCESS');
});

test.skipIf(missing !== '')(
  `each rule fires for the account that is not well, and for no other${missing}`,
  () => {
    expect(cases).toHaveLength(2);
    run('promtool', 'test', 'rules', ...cases);
  },
);

test.skipIf(missing !== '')(
  `amtool takes the example, and sends each alert where it belongs${missing}`,
  () => {
    run('amtool', 'check-config', 'alertmanager.yaml');
    const receivers = (...labels: readonly string[]) =>
      run(
        'amtool',
        'config',
        'routes',
        'test',
        '--config.file=alertmanager.yaml',
        'account=north',
        ...labels,
      ).trim();
    expect(receivers('alertname=CustodyMirrorNoWriter', 'severity=critical')).toBe('on-call,operations');
    expect(receivers('alertname=CustodyMirrorStale', 'severity=warning')).toBe('operations');
    expect(receivers('alertname=CustodyMirrorWithdrawalStuck', 'severity=critical', 'about=account')).toBe(
      'on-call,treasury',
    );
    expect(receivers('alertname=CustodyMirrorValueMoved', 'severity=warning', 'about=account')).toBe(
      'treasury',
    );
  },
);
