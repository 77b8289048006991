// An exact amount, grouped. It is never rounded: digits that are left out are marked, and the title holds them all.
import type { View } from '../view/view.ts';

const shownDecimals = 8;

interface AmountProps {
  readonly view: View;
  /** A decimal number as text, as the API writes it. */
  readonly value: string | null | undefined;
  /** Asset or currency behind the figure. */
  readonly unit?: string | null;
  /** With `+` where it is positive: for changes. */
  readonly signed?: boolean;
  /** What stands for null. Default `unknown`: null is not zero. */
  readonly none?: string;
  /** Decimals that are shown, unless the reader chose all digits. Default 8. */
  readonly decimals?: number;
}

export function Amount(props: AmountProps) {
  const { view, value, unit = null, signed = false, decimals = shownDecimals, none = 'unknown' } = props;
  if (value === null || value === undefined) return <span class="soft">{none}</span>;
  const { text, isCut } = written(value, view.preferences.digits === 'all' ? Infinity : decimals);
  const sign = signed && !value.startsWith('-') && /[1-9]/.test(value) ? '+' : '';
  return (
    <data class="amount" value={value} {...(isCut ? { title: value } : {})}>
      {sign}
      {text}
      {isCut ? <span class="cut">…</span> : null}
      {unit === null ? null : <span class="unit"> {unit}</span>}
    </data>
  );
}

/** `-1234.5` as `-1,234.5`, cut after so many decimals. Text that is no plain number stays as it is. */
export function written(value: string, decimals: number): { readonly text: string; readonly isCut: boolean } {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (match === null) return { text: value, isCut: false };
  const [, sign = '', whole = '', fraction = ''] = match;
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  const isCut = fraction.length > decimals;
  const shown = isCut ? fraction.slice(0, decimals) : fraction;
  return { text: `${sign}${grouped}${shown === '' ? '' : `.${shown}`}`, isCut };
}
