// What the bench asks of the read API: pages of transactions with each filter, deep pages of /custody, and
// the SQL that reads the same rows.
import type pg from 'pg';

export interface ApiRequest {
  readonly path: string;
  /** How many rows have the value that is asked for. */
  readonly among?: 'frequent' | 'rare';
  /** The same rows from the view or the table, without the server in between. */
  readonly sql: string;
}

const account = `account_id = 'bench'`;

/** One request for each filter, with values that the mirror holds: the most frequent and the rarest. */
export async function apiRequests(client: pg.Client, transactions: number): Promise<readonly ApiRequest[]> {
  const requests: ApiRequest[] = [page('', 'true'), page('sort=changed_at', 'true', 'changed_at')];
  for (const column of filters) {
    const { rows } = await client.query<{ value: string }>(
      `select ${column} as value from custody.transactions where ${account} and ${column} <> '' group by 1 order by count(*) desc`,
    );
    for (const value of new Set([rows[0]?.value, rows.at(-1)?.value])) {
      if (value === undefined) continue;
      const asked = page(
        `${column}=${encodeURIComponent(value)}`,
        `${column} = ${client.escapeLiteral(value)}`,
      );
      requests.push({ ...asked, among: value === rows[0]?.value ? 'frequent' : 'rare' });
    }
  }
  requests.push(page('amount_from=199000', 'amount >= 199000'));
  requests.push(
    page('first_seen_from=2026-01-01T00:00:00Z', `first_seen_at >= '2026-01-01T00:00:00Z'`, 'first_seen_at'),
  );
  for (const share of [0, 0.01, 0.5, 0.9]) requests.push(deepPage(Math.floor(transactions * share)));
  return requests;
}

const filters = [
  'status',
  'transaction_type',
  'asset_id',
  'network_id',
  'source_id',
  'source_address',
  'destination_id',
  'destination_address',
] as const;

function page(query: string, condition: string, order = 'first_seen_at'): ApiRequest {
  return {
    path: `/api/v1/transactions?limit=100${query === '' ? '' : `&${query}`}`,
    sql: `select * from reporting.transactions where ${account} and ${condition}
      order by ${order} desc, transaction_id desc limit 100`,
  };
}

function deepPage(offset: number): ApiRequest {
  return {
    path: `/custody/transactions?limit=200&offset=${offset}`,
    sql: `select raw from custody.transactions where ${account} and missing_since is null
      order by first_seen_at, transaction_id limit 200 offset ${offset}`,
  };
}
