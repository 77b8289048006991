// What Grafana makes of a query before PostgreSQL sees it: variables as its front end fills them in, then the
// macros of its PostgreSQL data source as that expands them. What the dashboards do not use is unknown here,
// and an error, as anything unknown would be on the dashboard.

export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** What is chosen for a variable. */
export interface Chosen {
  readonly value: string | readonly string[];
  /** The variable may hold several values, or all. */
  readonly several: boolean;
  /** The text for "all" that the dashboard gives itself: put in as it is, whatever format is asked for. */
  readonly verbatim?: boolean;
}

export type Variables = Readonly<Record<string, Chosen>>;

/** @throws Error for an unknown variable, format or macro */
export function expandQuery(sql: string, variables: Variables, range: TimeRange): string {
  return expandMacros(expandVariables(sql, variables), range);
}

/** As the front end does; what is followed by a parenthesis is a macro and left to the data source. */
function expandVariables(text: string, variables: Variables): string {
  return text.replaceAll(/\$(?!__\w+\()(\w+)|\$\{(\w+)(?::(\w+))?\}/g, (whole, plain, curly, format) => {
    const chosen = variables[plain ?? curly];
    if (chosen === undefined) throw new Error(`there is no variable ${whole}`);
    return formatted(chosen, format);
  });
}

function formatted({ value, several, verbatim }: Chosen, format: string | undefined): string {
  const values = typeof value === 'string' ? [value] : value;
  if (verbatim) return values.join(',');
  if (format !== undefined && format !== 'sqlstring') throw new Error(`there is no format ${format}`);
  const quoted = values.map((text) => text.replaceAll("'", "''"));
  if (format === undefined && typeof value === 'string' && !several) return quoted.join();
  return quoted.map((text) => `'${text}'`).join(',');
}

/** As the data source does: arguments end at the first closing parenthesis and are parted at every comma. */
function expandMacros(sql: string, range: TimeRange): string {
  return sql.replaceAll(/\$(\w+)\(([^)]*)\)/g, (_, name, inner) => {
    const [first = '', interval = ''] = String(inner)
      .split(',')
      .map((argument) => argument.trim());
    return macro(name, first, interval, range);
  });
}

function macro(name: string, column: string, interval: string, { from, to }: TimeRange): string {
  if (name === '__timeFrom') return moment(from);
  if (name === '__timeTo') return moment(to);
  if (column === '') throw new Error(`$${name} lacks its column`);
  if (name === '__timeFilter') return `${column} BETWEEN ${moment(from)} AND ${moment(to)}`;
  if (name !== '__timeGroupAlias') throw new Error(`there is no macro $${name}`);
  const length = seconds(interval.replaceAll("'", ''));
  return `floor(extract(epoch from ${column})/${length})*${length} AS "time"`;
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

function seconds(interval: string): number {
  const [, count, unit = ''] = /^(\d+)([smhdw])$/.exec(interval) ?? [];
  const length = units[unit];
  if (length === undefined) throw new Error(`${interval} is no interval`);
  return Number(count) * length;
}

function moment(date: Date): string {
  return `'${date.toISOString().replace('.000Z', 'Z')}'`;
}
