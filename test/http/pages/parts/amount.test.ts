// Amounts as people read them: grouped, exact, never rounded.
import fc from 'fast-check';
import { jsx } from 'hono/jsx';
import { expect, test } from 'vitest';
import { Amount, written } from '../../../../src/http/pages/parts/values.tsx';
import type { View } from '../../../../src/http/pages/view/view.ts';
import { renderIn } from '../reading.ts';

const digits = (least: number, most: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most })
    .map((list) => list.join(''));
const amounts = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 40n }), digits(0, 30))
  .map(
    ([isNegative, whole, fraction]) =>
      `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`,
  );

test('what is shown is a beginning of the amount, and all of it where nothing is marked as cut', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 12 }), (amount, decimals) => {
      const { text, isCut } = written(amount, decimals);
      const plain = text.replaceAll(',', '');
      expect(amount.startsWith(plain)).toBe(true);
      expect(isCut).toBe(plain !== amount);
      expect((plain.split('.')[1] ?? '').length).toBeLessThanOrEqual(decimals);
      // Groups of three as Intl writes them, which is exact for integers of any size.
      const whole = amount.replace('-', '').split('.')[0] ?? '';
      expect(text.replace('-', '').split('.')[0]).toBe(BigInt(whole).toLocaleString('en'));
    }),
  );
});

const view = (digitsWanted: 'short' | 'all') =>
  ({ preferences: { zone: 'utc', digits: digitsWanted } }) as View;
const shown = ({ view: around, ...props }: Parameters<typeof Amount>[0] & { readonly view: View }) =>
  renderIn(around, jsx(Amount, props));

test('digits that are left out are marked and told, and all are shown to who wants all', async () => {
  const value = '-1234567.123456789';
  expect(await shown({ view: view('short'), value, unit: 'BTC' })).toBe(
    '<data class="amount" value="-1234567.123456789" title="-1234567.123456789">-1,234,567.12345678<span class="cut">…</span><span class="unit"> BTC</span></data>',
  );
  expect(await shown({ view: view('all'), value, decimals: 2 })).toBe(
    '<data class="amount" value="-1234567.123456789">-1,234,567.123456789</data>',
  );
});

test('null is said and is not zero, and a change has its sign', async () => {
  expect(await shown({ view: view('short'), value: null })).toBe('<span class="soft">unknown</span>');
  expect(await shown({ view: view('short'), value: null, none: 'no price' })).toBe(
    '<span class="soft">no price</span>',
  );
  const signed = async (value: string) =>
    (await shown({ view: view('short'), value, signed: true })).replaceAll(/<[^>]*>/g, '');
  const values = ['0.5', '-0.5', '0', '0.000'];
  expect(await Promise.all(values.map(signed))).toEqual(['+0.5', '-0.5', '0', '0.000']);
});

test('what is no plain number is shown as it is, as text', async () => {
  for (const text of ['1e5', 'NaN', '', '<script>', '1,5', ' 1'])
    expect(written(text, 8)).toEqual({ text, isCut: false });
  expect(await shown({ view: view('short'), value: '<b>' })).toContain('&lt;b&gt;');
});
