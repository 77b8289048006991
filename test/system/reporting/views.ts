// Rows of the views in a form that keeps every digit: numbers as the text the database writes, moments and
// spans of time as whole microseconds, calendar days as ISO 8601.
import type { TestDatabase } from '../../support/database.ts';

export type Cell = string | boolean | null;
export type ViewRow = Readonly<Record<string, Cell>>;

const columnsOfView = `
  select a.attname::text as name, format_type(a.atttypid, null) as type from pg_attribute a
  where a.attrelid = to_regclass($1) and a.attnum > 0 order by a.attnum`;

const columnsOfFunction = `
  select c.name, c.type::regtype::text as type
  from pg_proc p, unnest(p.proargnames, p.proargmodes, p.proallargtypes) as c (name, mode, type)
  where p.pronamespace = 'reporting'::regnamespace and p.proname = $1 and c.mode = 't'`;

/** All rows of a view for an account, with the moment of the query as `now`. */
export async function readView(
  database: TestDatabase,
  view: string,
  account: string,
): Promise<{ readonly now: bigint; readonly rows: ViewRow[] }> {
  const columns = await database.query<Column>(columnsOfView, [`reporting.${view}`]);
  return await read(database, { columns, from: `reporting.${view}`, account, given: [] });
}

/** All rows of a function of a moment for an account. */
export async function readAt(
  database: TestDatabase,
  name: 'transactions_at' | 'balances_at',
  account: string,
  isoMoment: string,
): Promise<ViewRow[]> {
  const columns = await database.query<Column>(columnsOfFunction, [name]);
  const from = `reporting.${name}($2)`;
  return (await read(database, { columns, from, account, given: [isoMoment] })).rows;
}

interface Column extends Record<string, unknown> {
  readonly name: string;
  readonly type: string;
}

async function read(
  database: TestDatabase,
  {
    columns,
    from,
    account,
    given,
  }: {
    readonly columns: readonly Column[];
    readonly from: string;
    readonly account: string;
    readonly given: readonly string[];
  },
): Promise<{ readonly now: bigint; readonly rows: ViewRow[] }> {
  if (columns.length === 0) throw new Error(`${from} has no columns`);
  const selected = columns.map(({ name, type }) => `${asText(`r."${name}"`, type)} as "${name}"`);
  const rows = await database.query<Record<string, Cell>>(
    `select t.now, ${columns.map(({ name }) => `q."${name}"`).join(', ')}
     from (select ${asText('now()', 'timestamp with time zone')} as now) as t
     left join (select ${selected.join(', ')} from ${from} as r where r.account_id = $1) as q on true`,
    [account, ...given],
  );
  return {
    now: BigInt(String(rows[0]?.['now'])),
    rows: rows.flatMap(({ now: _, ...row }) => (row['account_id'] === null ? [] : [row])),
  };
}

function asText(expression: string, type: string): string {
  if (type === 'boolean') return expression;
  if (type === 'timestamp with time zone' || type === 'interval')
    return `(extract(epoch from ${expression}) * 1000000)::bigint::text`;
  return `${expression}::text`;
}
