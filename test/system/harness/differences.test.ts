// A failed comparison says the difference first, and on few lines.
import { expect, test } from 'vitest';
import { differences, none } from '../../support/differences.ts';

const rows = (count: number, amount: string) =>
  Array.from({ length: count }, (_, at) => ({ id: `t${at}`, asset: 'BTC', amount, status: 'completed' }));

test('the columns that differ come first, in the row that was expected', () => {
  const [row] = rows(1, '1.5');
  expect(differences([{ ...row, amount: '2' }], rows(1, '1.5'))).toEqual([
    'amount is "2" instead of "1.5"; in the row amount="1.5" asset="BTC" id="t0" status="completed"',
  ]);
  const { amount: _, ...short } = row ?? { amount: '' };
  expect(differences([short], rows(1, '1.5'))).toEqual([
    'amount is nothing instead of "1.5"; in the row amount="1.5" asset="BTC" id="t0" status="completed"',
  ]);
});

test('rows of one list alone are told as that, and of many only a few', () => {
  expect(differences(rows(2, '1'), rows(2, '1').toReversed())).toEqual(none);
  expect(
    differences(
      [{ a: 1, b: 2 }],
      [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    ),
  ).toEqual(['not found: a=3 b=4']);
  expect(differences([{ a: 1 }, { a: 1 }], [{ a: 1 }])).toEqual(['not expected: a=1']);
  const [one, other] = [{ a: { b: 1, c: [2] } }, { a: { c: [2], b: 1 } }];
  expect(differences([one], [other])).toEqual(none);
  expect(differences(rows(300, '1'), []).at(-1)).toBe('and 296 more that are not expected');
  expect(differences([], rows(300, '1'))).toHaveLength(5);
});
