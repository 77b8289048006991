// What Grafana makes of a query before PostgreSQL sees it: variables as its front end fills them in, then the
// macros of its PostgreSQL data source as that expands them. Anything unknown is an error here, as it would
// be on the dashboard.

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
export function expandQuery(sql: string, variables: Variables, range: TimeRange, interval = '1h'): string {
  return expandMacros(expandVariables(sql, withInterval(variables, interval)), range);
}

function withInterval(variables: Variables, interval: string): Variables {
  return {
    ...variables,
    __interval: { value: interval, several: false },
    __interval_ms: { value: String(seconds(interval) * 1000), several: false },
  };
}

const reference = /\$(\w+)|\[\[(\w+)(?::(\w+))?\]\]|\$\{(\w+)(?::(\w+))?\}/g;

/** As the front end does; what is followed by a parenthesis is a macro and left to the data source. */
function expandVariables(text: string, variables: Variables): string {
  return text.replaceAll(reference, (whole, ...groups) => {
    const [plain, square, squareFormat, curly, curlyFormat] = groups;
    const offset = groups.find((group) => typeof group === 'number') ?? 0;
    const name = String(plain ?? square ?? curly);
    if (name.startsWith('__') && text[offset + whole.length] === '(') return whole;
    const chosen = variables[name];
    if (chosen === undefined) throw new Error(`there is no variable ${whole}`);
    return format(chosen, squareFormat ?? curlyFormat);
  });
}

function format({ value, several, verbatim }: Chosen, name: unknown): string {
  const values = typeof value === 'string' ? [value] : value;
  if (verbatim) return values.join(',');
  switch (name) {
    case undefined:
      return typeof value === 'string' && !several
        ? value.replaceAll("'", "''")
        : values.map(sqlString).join(',');
    case 'sqlstring':
      return values.map(sqlString).join(',');
    case 'singlequote':
      return values.map((text) => `'${text.replaceAll("'", "\\'")}'`).join(',');
    case 'doublequote':
      return values.map((text) => `"${text.replaceAll('"', '\\"')}"`).join(',');
    case 'csv':
    case 'raw':
      return values.join(',');
    case 'pipe':
      return values.join('|');
    default:
      throw new Error(`there is no format ${name}`);
  }
}

function sqlString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * As the data source does: the arguments end at the first closing parenthesis and are parted at every comma.
 */
function expandMacros(sql: string, range: TimeRange): string {
  return sql.replaceAll(/\$([_a-zA-Z0-9]+)\(([^)]*)\)/g, (whole, name, inner, offset) => {
    const args = String(inner)
      .split(',')
      .map((argument) => argument.trim());
    // The old way of writing it: a group that a comma follows becomes the column "time".
    const isOld = name === '__timeGroup' && sql[offset + whole.length] === ',';
    return macro(isOld ? '__timeGroupAlias' : name, args, range);
  });
}

function macro(name: string, args: readonly string[], range: TimeRange): string {
  const [first = '', second] = args;
  if (!name.endsWith('From') && !name.endsWith('To') && first === '')
    throw new Error(`$${name} lacks its column`);
  switch (name) {
    case '__time':
      return `${first} AS "time"`;
    case '__timeEpoch':
      return `extract(epoch from ${first}) as "time"`;
    case '__timeFilter':
      return `${first} BETWEEN ${moment(range.from)} AND ${moment(range.to)}`;
    case '__timeFrom':
      return moment(range.from);
    case '__timeTo':
      return moment(range.to);
    case '__timeGroup':
      return grouped(`extract(epoch from ${first})`, name, second);
    case '__timeGroupAlias':
      return `${grouped(`extract(epoch from ${first})`, name, second)} AS "time"`;
    case '__unixEpochFilter':
      return `${first} >= ${epoch(range.from)} AND ${first} <= ${epoch(range.to)}`;
    case '__unixEpochFrom':
      return String(epoch(range.from));
    case '__unixEpochTo':
      return String(epoch(range.to));
    case '__unixEpochGroup':
      return grouped(`(${first})`, name, second);
    case '__unixEpochGroupAlias':
      return `${grouped(`(${first})`, name, second)} AS "time"`;
    default:
      throw new Error(`there is no macro $${name}`);
  }
}

function grouped(expression: string, name: string, interval: string | undefined): string {
  if (interval === undefined) throw new Error(`$${name} lacks its interval`);
  const length = seconds(interval.replaceAll("'", ''));
  return `floor(${expression}/${length})*${length}`;
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

function seconds(interval: string): number {
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(interval) ?? [];
  const length = unit === undefined ? undefined : units[unit];
  if (length === undefined) throw new Error(`${interval} is no interval`);
  return Number(count) * length;
}

function moment(date: Date): string {
  return `'${date.toISOString().replace('.000Z', 'Z')}'`;
}

function epoch(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
