// Adds exact decimals that travel as text.

/** Both plain decimals, such as `-1.50`; the sum has no zeros at its end. */
export function addDecimals(a: string, b: string): string {
  const scale = Math.max(decimalsOf(a), decimalsOf(b));
  const sum = unscaled(a, scale) + unscaled(b, scale);
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0');
  const cut = digits.length - scale;
  const fraction = digits.slice(cut).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction === '' ? '' : `.${fraction}`}`;
}

function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

function unscaled(text: string, scale: number): bigint {
  return BigInt(text.replace('.', '') + '0'.repeat(scale - decimalsOf(text)));
}
