// Draws what a superuser changes, the same again from the same seed.
export function createRandom(from: number) {
  let state = from;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    below: (count: number) => Math.floor(next() * count),
    pick: <Value>(values: readonly Value[]): Value => {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error('nothing to pick from');
      return value;
    },
  };
}

/** A value of the column that is another one. */
export function otherValue(name: string, type: string): string {
  if (['integer', 'bigint', 'numeric'].includes(type)) return `coalesce(${name}, 0) + 1000`;
  if (type === 'timestamp with time zone') return `coalesce(${name}, now()) + interval '1 microsecond'`;
  if (type === 'jsonb') return `jsonb_build_array(${name})`;
  if (type === 'text[]') return `array_append(${name}, 'more')`;
  return `coalesce(${name}, '') || ' '`;
}
