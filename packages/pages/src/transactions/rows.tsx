// Transactions as rows and in words: when, what, how much, from where to where, and its status. A side is a
// vault, a destination of the whitelist, or an address outside.
import type { Ask, QueryOf, Transaction, TransactionAt } from '../api/ask.ts';
import { lengthInWords, onOneLine } from '../api/words.ts';
import { currenciesOf } from '../parts/drawings.tsx';
import { Badge, statusJudgement, typeInWords } from '../parts/notice.tsx';
import { type Column, column } from '../parts/table.tsx';
import { Link, Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { endOf } from '../view/moments.ts';
import { currencyName, exactText } from '../view/numbers.ts';
import { entryPath, transactionPath, useView, vaultPath } from '../view/view.ts';

const directions = new Map([
  ['in', 'comes in'],
  ['out', 'goes out'],
  ['internal', 'stays within the account'],
  ['staking', 'staking'],
]);

export function directionInWords(direction: string | null): string {
  return directions.get(direction ?? '') ?? 'direction unknown';
}

/** What each open status waits for. */
const waits = new Map([
  ['pending', 'It is waiting for approval or for the custody service to pick it up.'],
  ['processing', 'The custody service is processing it; it has not reported it on the blockchain yet.'],
  ['confirming', 'It was sent to the blockchain and is waiting for confirmations.'],
]);

export const statuses = [...waits.keys(), 'completed', 'rejected', 'cancelled', 'failed'];

export function waitInWords(status: string): string {
  return waits.get(status) ?? 'The service reports an undocumented status; it counts as open.';
}

/** `Withdrawal of 1,250.5 USDT`. */
export function titleOf(row: Pick<Transaction, 'transaction_type' | 'amount' | 'asset_id'>): string {
  const asset = onOneLine(row.asset_id ?? '').slice(0, 40);
  const amount = row.amount === null ? 'an unknown amount' : exactText(row.amount);
  return `${typeInWords(row.transaction_type)} of ${`${amount} ${asset}`.trim()}`;
}

export function between(from: string | null, to: string | null): string | null {
  if (from === null || to === null) return null;
  return lengthInWords(Date.parse(to) - Date.parse(from));
}

export type Row = Transaction | TransactionAt;

export function isAddressable(id: string): boolean {
  return id.length <= 500;
}

export function columnsOf(values: Values | null): readonly Column<Row>[] {
  const { currency = null } = values ?? {};
  const settledValueOf = (row: Row) => values?.of.get(row.transaction_id);
  return [
    { title: 'When', isPlain: true, cell: whenOf },
    { title: 'What', isPlain: true, cell: (row) => typeInWords(row.transaction_type) },
    column.amount('Amount', (row) => row.amount, { isPlain: true }),
    { title: 'Asset', isPlain: true, cell: assetOf },
    ...column.money(`Value (${currencyName(currency)})`, currency, settledValueOf, {
      none: '–',
      isPlain: true,
    }),
    { title: 'From → to', isPlain: true, cell: (row) => <Parties row={row} /> },
    { title: 'Status', isPlain: true, cell: (row) => <Status row={row} /> },
  ];
}

export interface Values {
  readonly currency: string;
  readonly of: ReadonlyMap<string, string>;
}

const mostValues = 200;

/** The values of the rows when they settled; null if no movement of that time has a price. */
export async function valuesOf(ask: Ask, rows: readonly Row[], asset_id?: string): Promise<Values | null> {
  const completed = rows.filter(({ status }) => status === 'completed');
  const settled = completed.flatMap((row) => ('settled_at' in row && row.settled_at) || []).sort();
  const [first, last] = [settled[0], settled.at(-1)];
  if (first === undefined || last === undefined) return null;
  const until = new Date(Date.parse(last) + 1000).toISOString();
  const span = { settled_from: first, settled_to: until, asset_id };
  const currency = await currencyOf(ask, span);
  const { data } = await ask.known('listMovementValues', { ...span, currency, limit: mostValues });
  if (currency === undefined || data.length === 0) return null;
  return { currency, of: new Map(data.map(({ transaction_id, value }) => [transaction_id, value])) };
}

/** That of the balances' values; of an account that holds nothing, that of the last movement. */
export async function currencyOf(ask: Ask, span: QueryOf<'listMovementValues'>) {
  const [main] = currenciesOf((await ask.known('listPortfolioValue', { limit: 500 })).data);
  return main ?? (await ask.known('listMovementValues', { ...span, limit: 1 })).data[0]?.currency;
}

function whenOf(row: Row) {
  const { transaction_id: id, first_seen_at } = row;
  return (
    <Link to={isAddressable(id) ? transactionPath(id) : null}>
      {isOlder(row) ? 'before first sync' : <Moment at={first_seen_at} as="short" />}
    </Link>
  );
}

function isOlder(row: Row): boolean {
  return 'is_older_than_mirror' in row && row.is_older_than_mirror;
}

function assetOf({ asset_id, network_name, network_id }: Row) {
  const network = <UntrustedText text={network_name ?? network_id} most={20} none="" />;
  return [<UntrustedText text={asset_id} most={16} />, ' ', <span class="soft">{network}</span>];
}

function Status({ row }: { readonly row: Row }) {
  const { query, now, closed } = useView();
  const until = endOf(query['at'] ?? now, closed);
  return (
    <>
      <Badge {...statusJudgement(row.status)} />{' '}
      <span class={`soft${row.is_open === false && row.missing_since === null ? ' settled' : ''}`}>
        {row.missing_since !== null ? (
          ['no longer listed since ', <Moment at={row.missing_since} as="short" />]
        ) : row.is_open ? (
          `${isOlder(row) ? 'at least ' : ''}${between(row.first_seen_at, until)}`
        ) : 'settled_at' in row && row.settled_at === null ? (
          'before first sync'
        ) : (
          <Moment at={row.status_since} as="short" />
        )}
      </span>
    </>
  );
}

export type SideName = 'source' | 'destination';

export function sideOf(row: Pick<Row, `${SideName}_${'type' | 'id' | 'name' | 'address'}`>, side: SideName) {
  return {
    type: row[`${side}_type`],
    id: row[`${side}_id`],
    name: row[`${side}_name`],
    address: row[`${side}_address`],
  };
}

/** From where to where, on one line: names, and the middle of addresses left out. */
export function Parties({ row, most = 40 }: { readonly row: Row; readonly most?: number }) {
  return (
    <>
      <Party {...sideOf(row, 'source')} most={most} /> <span class="soft">→</span>{' '}
      <Party {...sideOf(row, 'destination')} most={most} />
    </>
  );
}

function Party({ type, id, name, address, most }: ReturnType<typeof sideOf> & { readonly most: number }) {
  const to = id && type === 'vault' ? vaultPath(id) : id && type === 'whitelist' ? entryPath(id) : null;
  if (name || id) return <TextLink to={to} text={name || id} most={most} visible />;
  return <UntrustedText text={address} code most={14} none="unknown" visible />;
}
