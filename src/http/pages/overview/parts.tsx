// Small parts of the overview: assets, transactions, sections, money.
import type { Child } from 'hono/jsx';
import type { Transaction } from '../../../../packages/client/src/generated/types/api-types.ts';
import { Amount } from '../parts/amount.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { assetAddress } from '../view/places.ts';
import { addressOf, type Query, type View } from '../view/view.ts';

/** Decimals of a sum of money. The rest is marked, and in the title. */
const moneyDecimals = 2;
/** Decimals of an amount on this page; the page of the asset shows more. */
const amountDecimals = 4;

interface MoneyProps {
  readonly view: View;
  readonly value: string | null | undefined;
  /** Null where the head of the column names it. */
  readonly currency: string | null;
  readonly signed?: boolean;
}

export function Money({ view, value, currency, signed = false }: MoneyProps) {
  return <Amount view={view} value={value} unit={currency} decimals={moneyDecimals} signed={signed} />;
}

/** An amount in short, for a table that is read at a glance. */
export function Short({ view, value, signed = false, none = 'unknown' }: ShortProps) {
  return <Amount view={view} value={value} decimals={amountDecimals} signed={signed} none={none} />;
}

interface ShortProps {
  readonly view: View;
  readonly value: string | null | undefined;
  readonly signed?: boolean;
  readonly none?: string;
}

export function AssetLink({
  view,
  id,
  network,
}: {
  readonly view: View;
  readonly id: string | null;
  /** Shown where it says more than the asset. */
  readonly network?: string | null;
}) {
  const isTelling = network !== undefined && network !== null && network !== '' && network !== id;
  return (
    <>
      {id === null ? (
        <span class="soft">no asset named</span>
      ) : (
        <a href={assetAddress(view, id)}>
          <UntrustedText text={id} most={40} />
        </a>
      )}
      {isTelling ? (
        <>
          {' '}
          <span class="soft">
            on <UntrustedText text={network} most={40} />
          </span>
        </>
      ) : null}
    </>
  );
}

/** A section with its heading, and a link to the page that shows all of it. */
export function Part({
  id,
  title,
  children,
  more,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: Child;
  readonly more?: Child;
}) {
  return (
    <section id={id} class="part" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      {more === undefined ? null : <p class="more">{more}</p>}
    </section>
  );
}

export function More({
  view,
  path,
  query = {},
  children,
}: {
  readonly view: View;
  readonly path: string;
  readonly query?: Query;
  readonly children: Child;
}) {
  return <a href={addressOf(view, path, query)}>{children}</a>;
}

const types: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  withdraw: 'Withdrawal',
  rebalance: 'Transfer between own vaults',
  stake: 'Staking',
  unstake: 'Unstaking',
  claim: 'Claim',
  'change pool': 'Change of pool',
};

/** The type of a transaction as a noun; an undocumented one as the service sent it. */
export function TypeWord({ type }: { readonly type: string | null }) {
  if (type === null || type === '') return <>Transaction</>;
  return <UntrustedText text={types[type] ?? type} most={40} />;
}

/** The other side: its name, else its address or identifier. */
export function OtherSide({ row }: { readonly row: Transaction }) {
  const word = row.direction === 'in' ? 'from' : 'to';
  const other = row.counterparty_name ?? row.counterparty_address ?? row.counterparty_id;
  if (other === null || other === '') return <span class="soft">other side not named</span>;
  return (
    <>
      <span class="soft">{word}</span> <UntrustedText text={other} most={28} />
    </>
  );
}
