// Amounts, sums of money and changes, rounded for the eye: the whole figure is in the title, in the page of
// the asset or the transaction, and behind every export. What is unknown says so and is never zero.

import type { Child } from 'hono/jsx';
import { withoutZeros } from '../../../../src/domain/decimal.ts';
import {
  currencyDecimals,
  currencySign,
  exactText,
  figureOf,
  figureText,
  isSome,
  shareOf,
} from '../view/numbers.ts';
import { useView } from '../view/view.ts';
import { UntrustedText } from './values.tsx';

const shownDecimals = 8;
/** Of an amount where the page of the asset has more. */
export const short = { decimals: 4 };

interface AmountProps {
  /** A decimal number as text, as the API writes it. */
  readonly value: string | null | undefined;
  /** Asset behind the figure. */
  readonly unit?: string | null;
  /** With `+` where it is positive: for changes. */
  readonly signed?: boolean;
  /** What stands for null. Default `unknown`: null is not zero. */
  readonly none?: string;
  /** Decimals that are shown, unless the reader wants all digits. Default 8; Infinity for all. */
  readonly decimals?: number;
}

export function Amount({ unit = null, decimals = shownDecimals, ...figure }: AmountProps) {
  return (
    <Shown {...figure} most={decimals}>
      {unit === null ? null : (
        <span class="unit">
          {' '}
          <UntrustedText text={unit} most={40} />
        </span>
      )}
    </Shown>
  );
}

interface MoneyProps extends Pick<AmountProps, 'value' | 'signed' | 'none'> {
  readonly currency: string;
}

/** A sum of money, with its sign or code in front. */
export function Money({ currency, ...figure }: MoneyProps) {
  return <Shown {...figure} {...currencyDecimals(currency)} before={currencySign(currency)} />;
}

/** In the place of an em dash, which says nothing to who hears or prints it, the reason. */
function Unknown({ says }: { readonly says: string }) {
  return <span class="soft">{says}</span>;
}

interface ShownProps extends Pick<AmountProps, 'value' | 'signed' | 'none'> {
  /** Decimals that are shown. */
  readonly most: number;
  readonly least?: number;
  readonly before?: string;
  readonly children?: Child;
}

function Shown({ value, signed = false, none = 'unknown', most, least, before = '', children }: ShownProps) {
  const { preferences } = useView();
  if (value === null || value === undefined) return <Unknown says={none} />;
  const figure = preferences.digits === 'all' || most === Infinity ? null : figureOf(value, most, least);
  const isNegative = value.startsWith('-') && isSome(value);
  const sign = isNegative ? '-' : signed && isSome(value) ? '+' : '';
  const exact = exactText(value);
  const digits = figure === null ? exact : figureText({ ...figure, isRounded: false });
  const title = withoutZeros(digits) === withoutZeros(exact) ? {} : { title: `${before}${exact}` };
  const [whole = '', fraction] = digits.replace(/^-/, '').split('.');
  // Decimals behind these say little: they are grey.
  const quiet = fraction?.slice(short.decimals);
  const tone = sign === '+' ? ' up' : isNegative ? ' down' : '';
  return (
    <data
      class={`amount${before === '' ? '' : ' money'}${tone}${digits.length > 40 ? ' long' : ''}`}
      value={value}
      {...title}
    >
      {figure?.isRounded === true ? '≈' : ''}
      {sign}
      {before}
      {whole}
      {fraction === undefined ? null : (
        <span class="fraction">
          .{fraction.slice(0, short.decimals)}
          {quiet === '' ? null : <span class="soft">{quiet}</span>}
        </span>
      )}
      {children}
    </data>
  );
}

/** How many decimals of the amount are shown: by the most of a column its amounts stand point under point. */
export function placesOf(value: string | null | undefined, decimals = shownDecimals, least = 0): number {
  return value === null || value === undefined ? 0 : (figureOf(value, decimals, least)?.fraction.length ?? 0);
}

interface ChangeProps {
  /** The change, and what it is a change of. */
  readonly value: string | null;
  readonly since: string | null;
  readonly currency: string;
  readonly none?: string;
}

/** A change of a sum of money: with its sign, an arrow, and in per cent. */
export function Change({ value, since, currency, none = 'unknown' }: ChangeProps) {
  if (value === null) return <Unknown says={none} />;
  const share = shareOf(value, since);
  const arrow = !isSome(value) ? '' : value.startsWith('-') ? '▼ ' : '▲ ';
  const tone = !isSome(value) ? 'soft' : value.startsWith('-') ? 'down' : 'up';
  return (
    <span class={`change ${tone}`}>
      <span aria-hidden="true">{arrow}</span>
      <Money value={value} currency={currency} signed />
      {share === null ? null : ` (${value.startsWith('-') ? '' : '+'}${share})`}
    </span>
  );
}
