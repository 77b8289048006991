// .env.example against the parser: it names every variable there is and no other, and shows the true defaults.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/base/config.ts';
import { variablesRead } from '../support/variables.ts';

const forCompose = [
  'COMPOSE_PROJECT_NAME',
  'GRAFANA_PORT',
  'MIRROR_PORT',
  'POSTGRES_PORT',
  'SANDBOX_PORT',
  'SECRETS_DIRECTORY',
];
const lines = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').split('\n');

function assignments(pattern: RegExp): Record<string, string> {
  const found = lines.map((line) => pattern.exec(line)).filter((match) => match !== null);
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]));
}

const given = assignments(/^([A-Z_]+)=(.*)$/);
const shown = assignments(/^#([A-Z_]+)=(.*)$/);

test('every variable that is read is named, and no other', () => {
  const expected = [...variablesRead(), ...forCompose];
  expect([...Object.keys(given), ...Object.keys(shown)].sort()).toEqual(expected.sort());
});

test('the file works as it is, and its commented lines are the defaults', () => {
  const files = Object.keys(shown).filter((name) => name.endsWith('_FILE'));
  const defaults = Object.fromEntries(Object.entries(shown).filter(([name]) => !files.includes(name)));
  const plain = parseConfig({ env: given, isTerminal: false });
  expect(parseConfig({ env: { ...given, ...defaults }, isTerminal: false })).toEqual(plain);
});
