// docs/sql.md as queries and answers: each block of SQL is followed by a block with what psql would print.
import pg from 'pg';

const pair = /^```sql\n([\s\S]*?)^```\n```\n[\s\S]*?^```$/gm;

/** The document with every answer replaced by what its query answers now. */
export async function answeredAnew(document: string, pool: pg.Pool): Promise<string> {
  let result = '';
  let end = 0;
  for (const match of document.matchAll(pair)) {
    const [whole, sql = ''] = match;
    result += document.slice(end, match.index);
    result += `\`\`\`sql\n${sql}\`\`\`\n\`\`\`\n${await printed(pool, sql)}\n\`\`\``;
    end = match.index + whole.length;
  }
  return result + document.slice(end);
}

export function queriesOf(document: string): readonly string[] {
  return [...document.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql = '']) => sql);
}

const numbers = new Set<number>([
  pg.types.builtins.INT2,
  pg.types.builtins.INT4,
  pg.types.builtins.INT8,
  pg.types.builtins.FLOAT4,
  pg.types.builtins.FLOAT8,
  pg.types.builtins.NUMERIC,
]);

/** The answer as psql lays it out, without the number of rows and without spaces at the ends of lines. */
async function printed(pool: pg.Pool, sql: string): Promise<string> {
  const asText = { getTypeParser: () => (value: string) => value };
  const { fields, rows } = await pool.query<(string | null)[]>({
    text: sql,
    rowMode: 'array',
    types: asText,
  });
  const columns = fields.map(({ name, dataTypeID }, index) => ({
    name,
    isNumber: numbers.has(dataTypeID),
    width: Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)),
  }));
  const header = columns.map(({ name, width }) => {
    const left = Math.floor((width - name.length) / 2);
    return ` ${' '.repeat(left)}${name.padEnd(width - left)} `;
  });
  const rule = columns.map(({ width }) => '-'.repeat(width + 2));
  const lines = rows.map((row) =>
    columns
      .map(({ isNumber, width }, index) => {
        const text = row[index] ?? '';
        return ` ${isNumber ? text.padStart(width) : text.padEnd(width)} `;
      })
      .join('|'),
  );
  return [header.join('|'), rule.join('+'), ...lines].map((line) => line.trimEnd()).join('\n');
}
