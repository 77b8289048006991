import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { fixedSql } from '../../../src/store/postgres/fixed-sql.ts';

test('a fixed part is one text, and no value can become part of it', () => {
  const part = sql`v.${sql.identifier('a"b')} ${sql.raw('desc')}`;
  expect(new PgDialect().sqlToQuery(sql`order by ${fixedSql(part)} limit ${5}`)).toMatchObject({
    sql: 'order by v."a""b" desc limit $1',
    params: [5],
  });
  expect(() => fixedSql(sql`v.a = ${'value'}`)).toThrow(/holds a parameter/);
});
