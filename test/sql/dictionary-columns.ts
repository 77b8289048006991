// The columns of the data dictionary, each meaning written once: one of several relations under Common
// columns, or, where that name has another meaning there, in the first of them.
import { escapeMarkdown, wrap } from '../support/markdown.ts';

/** From this many relations on a column is common. */
const commonFrom = 2;

export interface Place extends Record<string, unknown> {
  readonly schema: string;
  readonly relation: string;
}

export interface Member {
  readonly column: string;
  readonly type: string;
}

export interface Column extends Place, Member {
  readonly nullable: boolean;
  readonly comment: string | null;
}

interface Described extends Place {
  readonly isTable: boolean;
  readonly columns: readonly Column[];
}

/** Lists of columns for these relations, in their order. */
export function shareColumns(relations: readonly Described[]) {
  const columns = relations.flatMap((relation) => relation.columns);
  const uses = new Map<string, Column[]>();
  for (const column of columns) uses.set(meaningOf(column), [...(uses.get(meaningOf(column)) ?? []), column]);
  const common = new Map<string, Column>();
  for (const [first, ...more] of [...uses.values()].toSorted((a, b) => b.length - a.length))
    if (first !== undefined && more.length + 1 >= commonFrom && !common.has(first.column))
      common.set(first.column, first);

  const isCommon = (column: Column) => sameMeaning(common.get(column.column), column);
  /** What is said after the names of columns that are explained elsewhere; null for one explained here. */
  const explainedIn = (column: Column) => {
    if (isCommon(column)) return '';
    const first = uses.get(meaningOf(column))?.[0] ?? column;
    if (first.schema === column.schema && first.relation === column.relation) return null;
    return `: as in [${first.relation}](#${first.schema}${first.relation})`;
  };

  const listOf = ({ isTable, columns: own }: Described): readonly string[] => {
    const mark = ({ nullable }: Column) => (isTable && nullable ? '?' : '');
    const items: { names: string[]; tail: string }[] = [];
    for (const column of own) {
      const tail = explainedIn(column);
      const last = items.at(-1);
      if (tail === null)
        items.push({ names: [`\`${column.column}\`${typeOf(column)}${mark(column)}`], tail: textOf(column) });
      else if (last?.tail === tail) last.names.push(`\`${column.column}\`${mark(column)}`);
      else items.push({ names: [`\`${column.column}\`${mark(column)}`], tail });
    }
    return items.map(({ names, tail }) => wrap(`- ${names.join(', ')}${tail}`, '  '));
  };

  return {
    listOf,
    common: [...common.values()]
      .toSorted((a, b) => (a.column < b.column ? -1 : 1))
      .map((column) => wrap(`- \`${column.column}\`${typeOf(column)}${textOf(column)}`, '  ')),
    /** Names, with the type of those that are not common. */
    shortList: (members: readonly Member[]) =>
      members
        .map((member) =>
          common.get(member.column)?.type === member.type
            ? `\`${member.column}\``
            : `\`${member.column}\`${typeOf(member)}`,
        )
        .join(', '),
  };
}

function meaningOf({ column, type, comment }: Column): string {
  return JSON.stringify([column, type, comment]);
}

function sameMeaning(a: Column | undefined, b: Column): boolean {
  return a !== undefined && meaningOf(a) === meaningOf(b);
}

/** With a space before it; empty where the introduction of the dictionary says which type it is. */
function typeOf({ column, type }: Member): string {
  const short = shortType(type);
  const usual = column.startsWith('is_') ? 'boolean' : column.endsWith('_at') ? 'timestamptz' : 'text';
  return short === usual ? '' : ` ${escapeMarkdown(short)}`;
}

function textOf({ comment }: Column): string {
  return `: ${escapeMarkdown(comment ?? '')}`;
}

/** As psql's users write them. */
export function shortType(types: string): string {
  return types
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll('timestamp without time zone', 'timestamp');
}
