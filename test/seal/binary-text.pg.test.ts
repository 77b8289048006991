// Values as the server sends them in binary become the texts that it shows itself. BINARY_VALUES sets how many
// are drawn.
import { expect, test } from 'vitest';
import type { BinaryTypeName } from '../../src/store/postgres/copy-out.ts';
import { testDatabase } from '../support/database.ts';
import { sized } from '../support/form.ts';
import { open } from '../support/store.ts';

const values = sized({ short: 5_000, long: 100_000 }, 'BINARY_VALUES');

/** Each column as it is drawn, and as PostgreSQL shows it. */
const drawn = {
  text: [
    'text',
    `case n % 7 when 0 then null when 1 then '' else repeat(chr(32 + (random() * 50000)::int % 50000), n % 5) || md5(random()::text) end`,
    '$',
  ],
  integer: ['integer', '((random() - 0.5) * 4294967294)::bigint::integer', '$::text'],
  bigint: ['bigint', `((random() - 0.5) * power(2, 1 + random() * 62))::bigint`, '$::text'],
  boolean: ['boolean', 'random() < 0.5', '$::text'],
  numeric: [
    'numeric',
    `case n % 9 when 0 then 'NaN'::numeric when 1 then 'infinity' when 2 then '-infinity' when 3 then 0.000
      else round((random() - 0.5)::numeric * power(10::numeric, (random() * 60 - 30)::int), (random() * 40)::int) end`,
    '$::text',
  ],
  'timestamp with time zone': [
    'timestamptz',
    `case n % 11 when 0 then 'infinity'::timestamptz when 1 then '-infinity' when 2 then '294276-12-31 23:59:59.999999Z' when 3 then '4713-01-01 BC'
      else '2000-01-01Z'::timestamptz + (random() - 0.5) * power(2, random() * 37) * interval '1 second' + n * interval '1 microsecond' end`,
    // Of the last moments PostgreSQL rounds the epoch.
    `case when not isfinite($) then $::text
      when $ > '200000-01-01Z' then trim_scale(extract(epoch from $ - interval '876582000 hours') * 1000000 + 3155695200000000000)::text
      else trim_scale(extract(epoch from $) * 1000000)::text end`,
  ],
  jsonb: [
    'jsonb',
    `jsonb_build_object('n', round(random()::numeric, n % 20), 'ü', array[null, md5(n::text)], 'b', n % 2 = 0)`,
    '$::text',
  ],
  'text[]': [
    'text[]',
    `case n % 5 when 0 then '{}' when 1 then array[null, '"', ''] when 2 then array[['a','b'],['ü',null]] else array[md5(n::text), chr(1000 + n % 50000)] end`,
    '$',
  ],
  oid: ['oid', '(random() * 4294967295)::bigint::oid', '$::text'],
  name: ['name', 'md5(n::text)::name', '$::text'],
  '"char"': ['"char"', `chr(33 + n % 90)::"char"`, '$::text'],
} as const;

test(`of ${values} values of each type binary and text agree`, async () => {
  const { url, query } = await testDatabase();
  const columns = Object.entries(drawn);
  await query(
    `create table public.drawn as select n::bigint as nth, ${columns
      .map(([, [type, expression]], n) => `(${expression})::${type} as c${n}`)
      .join(', ')} from generate_series(1, ${values}) n`,
  );
  const shown = columns.map(([, [, , text]], n) => `${text.replaceAll('$', `c${n}`)} as c${n}`);
  const copy = {
    table: 'public.drawn',
    columns: [
      ['nth', 'bigint'] as const,
      ...columns.map(([type], n) => [`c${n}`, type as BinaryTypeName] as const),
    ],
  };
  const slice = 100_000;
  for (let from = 0; from < values; from += slice) {
    const read = new Map<string | null, (string | null)[]>();
    await open(url).transact('test', async (tx) => {
      await tx.copy('test', copy, (row) => {
        const nth = Number(row.text(0));
        if (nth > from && nth <= from + slice)
          read.set(
            row.text(0),
            columns.map((_, n) => row.text(n + 1)),
          );
      });
    });
    const rows = await query<Record<string, unknown>>(
      `select nth, ${shown.join()} from public.drawn where nth > ${from} and nth <= ${from + slice}`,
    );
    for (const row of rows) {
      const own = read.get(String(row['nth']));
      for (const [n, [type]] of columns.entries()) {
        const text = own?.[n] ?? null;
        const expected = row[`c${n}`];
        if (type === 'text[]') expect(JSON.parse(text ?? '')).toEqual(expected);
        else if (text !== expected) expect(text, `${type} ${row['nth']}`).toBe(expected);
      }
    }
    expect(read.size).toBe(Math.min(slice, values - from));
  }
}, 3_600_000);
