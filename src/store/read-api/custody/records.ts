// SQL of the records that /custody shows: the record as it was received, with the documented names and values
// of the columns laid over it (docs/custody-service.md 2.2 to 2.8). PostgreSQL makes the text, so that every
// number keeps its digits. Invariant: decoding such a record as the mirror does yields the columns
// again. What a column leaves null stays as it came: absent, null, or an empty amount.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { balances, unreadableBalances } from '../../../../drizzle/balances.ts';
import type { transactions } from '../../../../drizzle/transactions.ts';
import {
  balanceAmounts,
  type Field,
  type Fields,
  placeOf,
  transactionDetails,
} from '../../../domain/fields.ts';
import { flatTransactionNames } from '../../../domain/transaction.ts';
import { bounded } from '../list/columns.ts';

/** ISO 8601 in UTC with milliseconds, as docs/custody-service.md 2.2 has it. */
export function isoMilliseconds(moment: SQLWrapper): SQL<string> {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The columns of a table, by whatever name a statement gives it. */
type Columns<Table extends PgTable> = Readonly<Record<keyof Table['_']['columns'], SQLWrapper>>;

type Members = Readonly<Record<string, SQLWrapper>>;

/** An object of the members that are not null; all are texts. */
function present(members: Members): SQL {
  const pairs = Object.entries(members).map(
    ([name, value]) => sql`${sql.raw(`'${name}'`)}, ${bounded('text', value)}`,
  );
  // jsonb_build_object would look up the type of each argument for each row.
  return sql`jsonb_strip_nulls(jsonb_object(array[${sql.join(pairs, sql`, `)}]))`;
}

function names(list: readonly string[]): SQL {
  return sql.raw(`array[${list.map((name) => `'${name}'`).join(', ')}]`);
}

/** Members of the object `transaction`; some services write them directly into the record. */
const detailNames = [
  ...new Set(Object.values(transactionDetails).map(({ path }) => path.split('.')[1] ?? '')),
];

/** The columns of the fields that an object within the record holds, by their names there. */
function columnsIn(holder: string, table: Fields, row: Members): Members {
  const members = Object.entries<Field>(table).flatMap(([field, described]) => {
    const place = placeOf(described);
    const column = row[field];
    if (column === undefined || place.holder !== holder) return [];
    return [[place.name, described.kind === 'amount' ? sql`${column}::text` : column]];
  });
  return Object.fromEntries(members);
}

/**
 * What a select of rows of the table, named `t`, adds to its `from` and selects: the text of each record.
 * Most records are as the document has them, and need nothing but their time; composing the others takes
 * several times as long.
 */
export function transactionRecord(t: Columns<typeof transactions>): {
  readonly text: SQL<string>;
  readonly joins: SQL;
} {
  const documented = sql`received @> head and details @> columns
    and details -> 'source' @> source_columns and details -> 'destination' @> destination_columns`;
  return {
    text: sql`(case when ${documented} then received else ${composed(t)} end || observed)::text`,
    // `offset 0` keeps PostgreSQL from working out the same value at every place where it is used.
    joins: sql`
      cross join lateral (select
        ${bounded('json', t.raw)} || '{}' as received,
        ${present({ transaction_id: t.transactionId, status: t.status })} as head,
        ${present({ timestamp: isoMilliseconds(sql`coalesce(${t.sourceTimestamp}, ${t.changedAt})`) })} as observed,
        ${present(columnsIn('transaction', transactionDetails, t))} as columns,
        ${present(columnsIn('transaction.source', transactionDetails, t))} as source_columns,
        ${present(columnsIn('transaction.destination', transactionDetails, t))} as destination_columns
        offset 0) as shown
      cross join lateral (select received -> 'transaction' as details offset 0) as nested`,
  };
}

/** A record that deviates from the document, in its form. */
function composed(t: Columns<typeof transactions>): SQL {
  const isNested = sql`coalesce(jsonb_typeof(details) = 'object', false)`;
  const isFlat = sql`(not ${isNested} and received ?| ${names(flatTransactionNames)})`;
  const around = sql`(received - case when ${isFlat} then ${names(detailNames)} else '{}' end)`;
  const holder = sql`(case when ${isFlat} then received else details end)`;
  const source = party(sql`(${holder} -> 'source')`, 'source_id', t.sourceId);
  const destination = party(sql`(${holder} -> 'destination')`, 'destination_id', t.destinationId);
  return sql`(
    case when ${isRead(sql`received`, 'transaction_id', true)} then ${around} else ${around} - 'id' end || head
    || jsonb_build_object('transaction', case when ${isNested} then details else '{}' end || columns
      || jsonb_build_object('source', ${source} || source_columns, 'destination', ${destination} || destination_columns)))`;
}

/** Source or destination as received. `vault_id` is left out where it stood in the place of the id. */
function party(object: SQL, idName: string, id: SQLWrapper): SQL {
  const received = sql`case when jsonb_typeof(${object}) = 'object' then ${object} else '{}' end`;
  return sql`case when ${id} is null or ${isRead(object, idName, false)} then ${received} else ${received} - 'vault_id' end`;
}

/** Whether the member has a value that is read as text, which may be required not to be empty. */
function isRead(object: SQLWrapper, name: string, notEmpty: boolean): SQL {
  const member = sql.raw(`'${name}'`);
  const isScalar = sql`coalesce(jsonb_typeof(${object} -> ${member}), 'null') in ('string', 'number', 'boolean')`;
  return notEmpty ? sql`(${isScalar} and ${object} ->> ${member} <> '')` : isScalar;
}

const amountNames = Object.values(balanceAmounts).map((field) => placeOf(field).name);

/**
 * The text of one element of a balance answer, from the row that holds and the row that says that it cannot
 * be read; either may be missing. An amount that is not known now is `unknown`, which nobody takes for zero
 * or for the last one that was known.
 */
export function balanceElement(
  b: Columns<typeof balances>,
  u: Columns<typeof unreadableBalances>,
): SQL<string> {
  const raw = sql`coalesce(${bounded('json', b.raw)}, '{}')`;
  const amounts = sql`(${raw} -> 'balances')`;
  const nested = sql`case jsonb_typeof(${amounts}) when 'object' then ${amounts}
    when 'array' then case when jsonb_typeof(${amounts} -> 0) = 'object' then ${amounts} -> 0 end end`;
  const known = present(columnsIn('balances', balanceAmounts, b));
  const unknown = sql.raw(
    `'${JSON.stringify(Object.fromEntries(amountNames.map((name) => [name, 'unknown'])))}'::jsonb`,
  );
  const networkId = sql`coalesce(${b.networkId}, ${u.networkId})`;
  const shownNetwork = sql`case when ${networkId} <> '' or ${isRead(raw, 'network_id', false)} then ${networkId} end`;
  return sql`(
    case when ${nested} is null then ${raw} - ${names(amountNames)} else ${raw} end
    || ${present({
      asset_id: sql`coalesce(${b.assetId}, ${u.assetId})`,
      asset_name: b.assetName,
      network_id: shownNetwork,
      network_name: b.networkName,
    })}
    || jsonb_build_object('balances',
      coalesce(${nested}, '{}') || case when ${u.assetId} is null then ${known} else ${unknown} end)
    )::text`;
}
