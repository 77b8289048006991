// Small parts of the overview: assets, transactions, sections, money.
import type { Child } from 'hono/jsx';
import type { Transaction } from '../page/api.ts';
import { Amount } from '../parts/amount.tsx';
import { TextLink, UntrustedText } from '../parts/values.tsx';
import { assetPath } from '../view/view.ts';
import { type Overview, readState } from './load.ts';

/** Of a sum of money. The rest is marked, and in the title. */
export const money = { decimals: 2 };
/** Of an amount on this page; the page of the asset shows more. */
export const short = { decimals: 4 };

interface MoneyProps {
  readonly value: string | null | undefined;
  readonly currency: string;
  readonly signed?: boolean;
}

export function Money({ value, currency, signed = false }: MoneyProps) {
  return <Amount value={value} unit={currency} signed={signed} {...money} />;
}

interface AssetLinkProps {
  readonly id: string | null;
  /** Shown where it says more than the asset. */
  readonly network: string | null;
}

export function AssetLink({ id, network }: AssetLinkProps) {
  return (
    <>
      <TextLink to={id === null ? null : assetPath(id)} text={id} none="no asset named" most={40} />
      {network === null || network === '' || network === id ? null : (
        <>
          {' '}
          <span class="soft">
            on <UntrustedText text={network} most={40} />
          </span>
        </>
      )}
    </>
  );
}

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children: Child;
  readonly more: Child;
}

/** A section with its heading, and a link to the page that shows all of it. */
export function Part({ id, title, children, more }: PartProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      <p>{more}</p>
    </section>
  );
}

/** Says that transactions are missing, while they are read for the first time. */
export function PartOnly({ data, what }: { readonly data: Overview; readonly what: string }) {
  if (readState(data, 'transactions') !== 'in part') return null;
  return <p class="left-out">The transactions were not read to their end yet: {what} are a part.</p>;
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
