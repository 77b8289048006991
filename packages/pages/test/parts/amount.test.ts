// Amounts as people read them: a few digits for the eye, and the whole figure in the title.
import fc from 'fast-check';
import { jsx } from 'hono/jsx';
import { expect, test } from 'vitest';
import { Amount, Change, Money } from '../../src/parts/values.tsx';
import { productOf } from '../../src/view/numbers.ts';
import type { View } from '../../src/view/view.ts';
import { renderIn } from '../read-page.ts';

const view = (digits: 'short' | 'all' = 'short') =>
  ({ preferences: { zone: 'utc', digits, theme: 'auto', rows: 'normal' } }) as View;
const amount = (props: Parameters<typeof Amount>[0], around = view()) => renderIn(around, jsx(Amount, props));
const money = (props: Parameters<typeof Money>[0], around = view()) => renderIn(around, jsx(Money, props));
const plainText = (html: string) => html.replaceAll(/<[^>]*>/g, '');

test('digits that are left out are in the title, and all are shown to who wants all', async () => {
  const value = '-1234567.123456789';
  expect(await amount({ value, unit: 'BTC' })).toBe(
    '<data class="amount down" value="-1234567.123456789" title="-1,234,567.123456789">-1,234,567<span class="fraction">.1234<span class="soft">5679</span></span><span class="unit"> <bdi class="text">BTC</bdi></span></data>',
  );
  expect(plainText(await amount({ value, decimals: 2 }, view('all')))).toBe('-1,234,567.123456789');
  expect(plainText(await money({ value, currency: 'USD' }, view('all')))).toBe('-$1,234,567.123456789');
});

test('an amount of very many zeros is shown, and multiplied, exactly', async () => {
  const value = `0.1${'0'.repeat(16_000)}1`;
  for (let times = 0; times < 5; times += 1)
    expect(plainText(await amount({ value }, view('all')))).toBe(value);
  expect(productOf('0.50', `1${'0'.repeat(16_000)}.10`)).toBe(`5${'0'.repeat(15_999)}.05`);
});

test('what matters and is rounded away is marked', async () => {
  expect(plainText(await amount({ value: '0.000012345678' }))).toBe('≈0.00001235');
  expect(plainText(await amount({ value: `0.${'0'.repeat(29)}1` }))).toBe('1 × 10⁻³⁰');
  expect(plainText(await money({ value: '0.001', currency: 'USD' }))).toBe('≈$0.00');
  expect(plainText(await money({ value: '31059051.734567', currency: 'EUR' }))).toBe('€31,059,051.73');
});

test('null is said and is not zero, and a change has its sign, its arrow and its share', async () => {
  expect(await amount({ value: null })).toBe('<span class="soft">unknown</span>');
  expect(await money({ value: null, currency: 'USD', none: 'no price' })).toBe(
    '<span class="soft">no price</span>',
  );
  const signed = async (value: string) => plainText(await amount({ value, signed: true }));
  expect(await Promise.all(['0.5', '-0.5', '0', '0.000'].map(signed))).toEqual(['+0.5', '-0.5', '0', '0']);
  const change = (value: string, since: string) =>
    renderIn(view(), jsx(Change, { value, since, currency: 'USD' })).then(plainText);
  expect(await change('-12.5', '100')).toBe('▼ -$12.50 (-12.5 %)');
  expect(await change('12.5', '0')).toBe('▲ +$12.50');
  expect(await change('0', '100')).toBe('$0.00 (+0.0 %)');
});

test('the figure for programs is the exact one, whatever is shown', async () => {
  const digits = fc.stringMatching(/^\d{0,60}$/);
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: -(10n ** 80n), max: 10n ** 80n }), digits, async (whole, fraction) => {
      const value = fraction === '' ? String(whole) : `${whole}.${fraction}`;
      const html = await amount({ value });
      expect(html).toContain(`value="${value}"`);
      expect(plainText(html).length).toBeLessThan(40);
    }),
  );
});

test('what is no plain number is shown as it is, as text', async () => {
  for (const text of ['1e5', 'NaN', '<b>', '1,5'])
    expect(await amount({ value: text })).toContain(text.replace('<b>', '&lt;b&gt;'));
});
