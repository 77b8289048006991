// What the headers of a request ask for: the form of the answer, its compression, and whether it is known
// already.

/** The weights of a header such as Accept, by what they are for, in lower case. */
function weights(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='));
      const value = weight === undefined ? 1 : Number(weight.slice(2));
      return [name, Number.isFinite(value) ? value : 0];
    }),
  );
}

/** A spreadsheet file. */
export const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export type Form = 'application/json' | 'text/csv' | typeof xlsx;

/** The preferred form, the first of several equally preferred ones; null when none is acceptable. */
export function wantedForm(accept: string | undefined, forms: readonly Form[]): Form | null {
  if (accept === undefined || accept.trim() === '') return forms[0] ?? null;
  const given = weights(accept);
  const weightOf = (form: Form) =>
    given.get(form) ?? given.get(`${form.slice(0, form.indexOf('/'))}/*`) ?? given.get('*/*') ?? 0;
  const [best] = forms.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) > 0 ? best : null;
}

export function takesGzip(acceptEncoding: string | undefined): boolean {
  const given = weights(acceptEncoding ?? '');
  return (given.get('gzip') ?? given.get('*') ?? 0) > 0;
}

/** Compares weakly, as RFC 9110 wants it for If-None-Match. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, given]) => given === opaque);
}
