// Amounts, sums of money and changes, rounded for the eye: the whole figure is in the title, in the page of
// the asset or the transaction, and behind every export. An unknown figure says so, and is never zero.
import type { Child } from 'hono/jsx';
import { withoutZeros } from '../api/words.ts';
import * as numbers from '../view/numbers.ts';
import { useView } from '../view/view.ts';
import { UntrustedText } from './values.tsx';

const shownDecimals = 8;
export const short = { decimals: 4 };

interface AmountProps {
  readonly value: string | null | undefined;
  readonly unit?: string | null;
  /** With `+` where it is positive: for changes. */
  readonly signed?: boolean;
  readonly none?: string;
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

type FigureProps = Pick<AmountProps, 'value' | 'signed' | 'none'>;

export function Money({ currency, ...figure }: FigureProps & { readonly currency: string }) {
  return (
    <Shown {...figure} {...numbers.currencyDecimals(currency)} before={numbers.currencySign(currency)} />
  );
}

interface ShownProps extends FigureProps {
  readonly most: number;
  readonly least?: number;
  readonly before?: string;
  readonly children?: Child;
}

function Shown({ value, signed = false, none = 'unknown', most, least, before = '', children }: ShownProps) {
  const { preferences } = useView();
  if (value === null || value === undefined) return <span class="soft">{none}</span>;
  const figure =
    preferences.digits === 'all' || most === Infinity ? null : numbers.figureOf(value, most, least);
  const isNegative = value.startsWith('-') && numbers.isSome(value);
  const sign = isNegative ? '-' : signed && numbers.isSome(value) ? '+' : '';
  const exact = numbers.exactText(value);
  const digits = figure === null ? exact : numbers.figureText({ ...figure, isRounded: false });
  const title = withoutZeros(digits) === withoutZeros(exact) ? {} : { title: `${before}${exact}` };
  const [whole = '', fraction] = digits.replace(/^-/, '').split('.');
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
  return value === null || value === undefined
    ? 0
    : (numbers.figureOf(value, decimals, least)?.fraction.length ?? 0);
}

interface ChangeProps {
  readonly value: string | null;
  readonly since: string | null;
  readonly currency: string;
  readonly none?: string;
}

export function Change({ value, since, currency, none = 'unknown' }: ChangeProps) {
  if (value === null) return <span class="soft">{none}</span>;
  const share = numbers.shareOf(value, since);
  const arrow = !numbers.isSome(value) ? '' : value.startsWith('-') ? '▼ ' : '▲ ';
  const tone = !numbers.isSome(value) ? 'soft' : value.startsWith('-') ? 'down' : 'up';
  return (
    <span class={`change ${tone}`}>
      <span aria-hidden="true">{arrow}</span>
      <Money value={value} currency={currency} signed />
      {share === null ? null : ` (${value.startsWith('-') ? '' : '+'}${share})`}
    </span>
  );
}
