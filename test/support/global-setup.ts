// Before the first test file: one PostgreSQL server for the run, and on it a migrated database that tests copy.
import type { TestProject } from 'vitest/node';
import { dropDatabases, startTestServer, uniquePrefix, urlOf, withClient } from './server.ts';

export interface TestServerContext {
  readonly adminUrl: string;
  readonly prefix: string;
  /** Name of the migrated database. */
  readonly template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly testServer: TestServerContext;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = uniquePrefix();
  const server = await startTestServer(process.env, prefix);
  const template = `${prefix}_template`;
  await withClient(server.adminUrl, (client) =>
    client.query(`create database ${client.escapeIdentifier(template)} template template0`),
  );
  await migrateTemplate(urlOf(server.adminUrl, template));
  project.provide('testServer', { adminUrl: server.adminUrl, prefix, template });
  return async () => {
    await dropDatabases(server.adminUrl, prefix);
    await server.stop();
  };
}

async function migrateTemplate(_url: string): Promise<void> {}
