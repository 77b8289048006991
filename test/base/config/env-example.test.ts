// .env.example against the parser: the file works as it is, and shows the true defaults.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/base/config/config.ts';

const lines = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8').split('\n');

function assignments(pattern: RegExp): Record<string, string> {
  const found = lines.map((line) => pattern.exec(line)).filter((match) => match !== null);
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]));
}

test('the file works as it is, and its commented lines are the defaults', () => {
  const given = assignments(/^([A-Z_]+)=(.*)$/);
  const shown = assignments(/^#([A-Z_]+)=(.*)$/);
  const defaults = Object.fromEntries(Object.entries(shown).filter(([name]) => !name.endsWith('_FILE')));
  expect(Object.keys(defaults)).toContain('SCHEDULE_RECONCILE');
  const plain = parseConfig({ env: given, isTerminal: false });
  expect(parseConfig({ env: { ...given, ...defaults }, isTerminal: false })).toEqual(plain);
});
