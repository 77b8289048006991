// The difference of two lists of rows, said so that it is read at a glance: which columns of which row differ,
// and which rows only one list has.

type Row = Readonly<Record<string, unknown>>;

/** What `differences` gives of equal lists. */
export const none: readonly string[] = [];

/**
 * Rows that are in one list and not in the other, a few of them, a line each, whatever their order; a row
 * that comes twice counts twice. Two rows that agree in most columns are told as one that differs.
 */
export function differences(found: readonly Row[], expected: readonly Row[]): readonly string[] {
  const surplus = without(found, expected);
  const missing = without(expected, found);
  const few = surplus.slice(0, 4);
  const told = few.map((row) => {
    const [nearest] = missing
      .map((other) => ({ other, columns: differing(row, other) }))
      .toSorted((one, other) => one.columns.length - other.columns.length);
    if (nearest === undefined || nearest.columns.length * 2 > Object.keys(row).length)
      return `not expected: ${textOf(row)}`;
    missing.splice(missing.indexOf(nearest.other), 1);
    const values = nearest.columns.map(
      (name) => `${name} is ${shown(row[name])} instead of ${shown(nearest.other[name])}`,
    );
    return `${values.join(', ')}; in the row ${textOf(nearest.other)}`;
  });
  const left = surplus.length - few.length;
  return [
    ...told,
    ...(left > 0 ? [`and ${left} more that are not expected`] : []),
    ...missing.slice(0, 4).map((row) => `not found: ${textOf(row)}`),
    ...(missing.length > 4 ? [`and ${missing.length - 4} more that are not found`] : []),
  ];
}

/** The rows of the first list that the second has not, in an order that does not depend on theirs. */
function without(rows: readonly Row[], others: readonly Row[]): Row[] {
  const counts = new Map<string, number>();
  for (const row of others) counts.set(textOf(row), (counts.get(textOf(row)) ?? 0) + 1);
  const only = rows.filter((row) => {
    const count = counts.get(textOf(row)) ?? 0;
    counts.set(textOf(row), count - 1);
    return count <= 0;
  });
  return only.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}

function differing(one: Row, other: Row): readonly string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter((name) => shown(one[name]) !== shown(other[name]));
}

function textOf(row: Row): string {
  return Object.keys(row)
    .toSorted()
    .map((name) => `${name}=${shown(row[name])}`)
    .join(' ');
}

/** As JSON writes it, which keeps a text apart from a number; members are in one order. */
function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, inOrder);
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
