// Secrets of the configuration: from a file, and never in a message.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { parseDatabaseConfig } from '../../../src/base/config/config.ts';
import type { Environment } from '../../../src/base/config/reader.ts';
import { newFolder } from '../../support/folder.ts';
import { databaseUrl, faultsOf, key, parse, required } from './config-cases.ts';

function fileHolding(text: string): string {
  const file = join(newFolder(), 'secret');
  writeFileSync(file, text);
  return file;
}

test('a secret can come from a file, with its last line break', () => {
  const { CUSTODY_API_KEY: _, ...others } = required;
  expect(parse({ ...others, CUSTODY_API_KEY_FILE: fileHolding(`${key}\n`) }).custody.key.reveal()).toBe(key);
  expect(
    parseDatabaseConfig({
      env: { DATABASE_URL_FILE: fileHolding(databaseUrl) },
      isTerminal: false,
    }).database.url.reveal(),
  ).toBe(databaseUrl);
});

test('a file that cannot be read, is empty or competes is a fault', () => {
  const { CUSTODY_API_KEY: _, ...others } = required;
  const fault = (env: Environment) => faultsOf(() => parse({ ...others, ...env }));
  expect(fault({ CUSTODY_API_KEY_FILE: '/nowhere/key' })).toEqual({
    CUSTODY_API_KEY_FILE: 'the file it names cannot be read (ENOENT)',
  });
  expect(Object.keys(fault({ CUSTODY_API_KEY_FILE: fileHolding('\n') }))).toEqual(['CUSTODY_API_KEY_FILE']);
  expect(fault({ CUSTODY_API_KEY: key, CUSTODY_API_KEY_FILE: fileHolding(key) })).toEqual({
    CUSTODY_API_KEY: 'set either CUSTODY_API_KEY or CUSTODY_API_KEY_FILE, not both',
  });
});

test('an address of PostgreSQL without its slashes is answered with one that has them', () => {
  for (const url of ['postgres:mirror@db.example/custody', 'postgresql:/mirror@db.example/custody'])
    expect(faultsOf(() => parse({ ...required, DATABASE_URL: url }))).toEqual({
      DATABASE_URL: expect.stringContaining('such as postgres://user:password@host:5432/database'),
    });
});

test('a password that cuts its address short is answered with how it is written', () => {
  for (const password of ['s3/cret', 's3#cret', 's3?cret', '77/s3cret', '/s3cret'])
    expect(
      faultsOf(() =>
        parse({ ...required, DATABASE_URL: `postgres://mirror:${password}@db.example/custody` }),
      ),
    ).toEqual({
      DATABASE_URL:
        'must have special characters of user and password percent-encoded, such as %2F for a slash',
    });
});

test('no message and no rendering holds a secret', () => {
  const messages = [
    { DATABASE_URL: 'mysql://root:s3cret@localhost/x' },
    { CUSTODY_API_KEY: 's3cret\ns3cret' },
    { CUSTODY_API_KEY: '', CUSTODY_API_KEY_FILE: 's3cret' },
    { CUSTODY_API_KEY: '', CUSTODY_API_KEY_FILE: fileHolding('s3cret\ns3cret') },
    { CUSTODY_BASE_URL: 'https://u:s3cret@custody.example' },
    { DATABASE_URL: 's3cret' },
    { DATABASE_URL: 'postgres:s3cret@db.example/custody' },
    { DATABASE_URL: 'postgres://mirror:77/s3cret@db.example/custody' },
    { DATABASE_URL: 'postgres://mirror:77#s3cret@db.example/custody' },
    { DATABASE_URL: 'postgres://mirror:77?s3cret@db.example/custody' },
  ].map((env) => JSON.stringify(faultsOf(() => parse({ ...required, ...env }))));
  for (const message of messages) {
    expect(message).not.toBe('{}');
    expect(message).not.toContain('s3cret');
  }
  const config = parse(required);
  for (const rendering of [
    JSON.stringify(config),
    inspect(config, { depth: 9, showHidden: true }),
    `${config.custody.key}`,
  ]) {
    expect(rendering).not.toContain(key);
    expect(rendering).not.toContain('pa55word');
  }
});
