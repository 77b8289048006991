// What the database says of a column: the kind of its values, and its comment.
import { catalogue } from '../generated/catalogue.ts';

export interface Catalogued {
  readonly kind: string;
  /** Undefined where it has none. */
  readonly comment: string | undefined;
}

/** A line is `column kind: comment`; one of a single table, view or function names that too. */
const columns: ReadonlyMap<string, Catalogued> = new Map(
  catalogue
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, name = '', kind = '', comment] = /^(\S+) (\w+)(?:: (.*))?$/.exec(line) ?? [];
      return [[name, { kind, comment }] as const];
    }),
);

/** @param view `schema.name` */
export function catalogued(view: string, column: string): Catalogued | undefined {
  return columns.get(`${view}.${column}`) ?? columns.get(column);
}
