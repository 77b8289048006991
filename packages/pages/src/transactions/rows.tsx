// Transactions as rows: when, what, how much, from where to where, and its status. A side is a vault, a
// destination of the whitelist, or an address outside.

import type { Ask } from '../api/ask.ts';
import type { Transaction, TransactionAt } from '../api/interface.ts';
import { Badge } from '../parts/notice.tsx';
import { amountColumn, type Column, moneyColumn } from '../parts/table.tsx';
import { statusJudgement, typeInWords } from '../parts/transaction-types.ts';
import { Link, Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { endOf } from '../view/days.ts';
import { entryPath, transactionPath, useView, vaultPath } from '../view/view.ts';
import { between } from './words.ts';

export type Row = Transaction | TransactionAt;

/** Whether an address can hold the identifier. */
export function isAddressable(id: string): boolean {
  return id.length <= 500;
}

/** @param values the values of rows by their identifier; without it there is no such column */
export function columnsOf(values: Values | null): readonly Column<Row>[] {
  return [
    { title: 'When', isPlain: true, cell: whenOf },
    { title: 'What', isPlain: true, cell: (row) => typeInWords(row.transaction_type) },
    { ...amountColumn<Row>('Amount', (row) => row.amount), isPlain: true },
    { title: 'Asset', isPlain: true, cell: assetOf },
    ...(values === null ? [] : [valueColumn(values)]),
    { title: 'From → to', isPlain: true, cell: (row) => <Parties row={row} /> },
    { title: 'Status', isPlain: true, cell: (row) => <Status row={row} /> },
  ];
}

export interface Values {
  readonly currency: string;
  readonly of: ReadonlyMap<string, string>;
}

const mostValues = 200;

/** The values of the rows when they settled; null where no movement of their time has a price. */
export async function valuesOf(ask: Ask, rows: readonly Row[], asset_id?: string): Promise<Values | null> {
  const completed = rows.filter(({ status }) => status === 'completed');
  const settled = completed.flatMap((row) => ('settled_at' in row && row.settled_at) || []).sort();
  const [first, last] = [settled[0], settled.at(-1)];
  if (first === undefined || last === undefined) return null;
  const until = new Date(Date.parse(last) + 1000).toISOString();
  const asked = { settled_from: first, settled_to: until, asset_id, limit: mostValues };
  const found = await ask.known('listMovementValues', asked);
  if ('unknown' in found) return null;
  const movements = found.answer.data;
  const of = (currency: string) => movements.filter((each) => each.currency === currency);
  const currencies = [...new Set(movements.map(({ currency }) => currency))].sort();
  const [currency] = currencies.toSorted((a, b) => of(b).length - of(a).length);
  if (currency === undefined) return null;
  return { currency, of: new Map(of(currency).map(({ transaction_id, value }) => [transaction_id, value])) };
}

function valueColumn({ currency, of }: Values): Column<Row> {
  const settledValueOf = (row: Row) => of.get(row.transaction_id);
  return { ...moneyColumn(`Value (${currency})`, currency, settledValueOf, { none: '–' }), isPlain: true };
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

/** A vault or an entry of the whitelist leads to its page; other sides have none. */
function Party({ type, id, name, address, most }: ReturnType<typeof sideOf> & { readonly most: number }) {
  const to = id && type === 'vault' ? vaultPath(id) : id && type === 'whitelist' ? entryPath(id) : null;
  if (name || id) return <TextLink to={to} text={name || id} most={most} visible />;
  return <UntrustedText text={address} code most={14} none="unknown" visible />;
}
