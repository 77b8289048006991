// Roles of a test's own. They belong to the whole server, so each has a name that no other test uses, and is
// dropped when the test ends, with whatever it owns and was granted in its database.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { onCleanup } from './cleanup.ts';
import type { TestDatabase } from './database.ts';
import { withClient } from './server.ts';

export interface TestRole {
  readonly name: string;
  /** The name as SQL wants it. */
  readonly quoted: string;
  /** The database as this role. */
  readonly url: string;
}

/**
 * @param shape what to add to the name, the attributes of CREATE ROLE beyond LOGIN, and a password unless any
 * will do
 */
export async function testRole(
  database: TestDatabase,
  shape: { readonly suffix?: string; readonly attributes?: string; readonly password?: string } = {},
): Promise<TestRole> {
  const name = `cm_role_${randomBytes(5).toString('hex')}${shape.suffix ?? ''}`;
  const quoted = pg.escapeIdentifier(name);
  const password = shape.password ?? randomBytes(9).toString('hex');
  await database.query(
    `create role ${quoted} login password ${pg.escapeLiteral(password)} ${shape.attributes ?? ''}`,
  );
  const { adminUrl } = inject('testServer');
  const { pathname } = new URL(database.url);
  onCleanup(async () => {
    await withClient(adminUrl, async (client) => {
      const left = await client.query('select from pg_database where datname = $1', [pathname.slice(1)]);
      if (left.rowCount === 1)
        await withClient(database.url, (inside) => inside.query(`drop owned by ${quoted} cascade`));
      await client.query(`drop role ${quoted}`);
    });
  });
  const url = new URL(database.url);
  url.username = encodeURIComponent(name);
  url.password = encodeURIComponent(password);
  return { name, quoted, url: url.href };
}
