// Writes deploy/dbt/models/sources.yml: the schemas that a reader may read, with the comments in the
// database, as sources for dbt.
import { readRelations, readSchemaComment } from '../../sql/data-dictionary.ts';
import type { TestDatabase } from '../../support/database.ts';

/**
 * By when the resource that was read least recently was read, not by when something last changed: a quiet
 * account is not a stale one.
 */
const freshness = `        config:
          loaded_at_field: >-
            (select min(coalesce(last_success_at, 'epoch')) from reporting.data_freshness
            where is_mirrored and resource is not null)
          freshness:
            warn_after: {count: 2, period: hour}
            error_after: {count: 1, period: day}
`;

export async function writeDbtSources(database: TestDatabase): Promise<string> {
  const sources = [await sourceOf(database, 'reporting'), await sourceOf(database, 'custody')];
  return `# Views and tables with their meaning. Generated from the comments in sql/ by npm run generate.
version: 2

sources:
${sources.join('\n')}`;
}

async function sourceOf(database: TestDatabase, schema: string): Promise<string> {
  const tables = (await readRelations(database, [schema])).map(tableOf);
  return `  - name: custody_mirror_${schema}
    schema: ${schema}
    description: ${quote(await readSchemaComment(database, schema))}
    tables:
${tables.join('')}`;
}

function tableOf({ relation, comment, columns }: Awaited<ReturnType<typeof readRelations>>[number]): string {
  const own = columns.map(
    ({ column, type, comment: meaning }) => `          - name: ${column}
            data_type: ${quote(type)}
            description: ${quote(meaning ?? '')}
`,
  );
  return `      - name: ${relation}
        description: ${quote(comment ?? '')}
${relation === 'data_freshness' ? freshness : ''}        columns:
${own.join('')}`;
}

/** As a YAML string on one line. dbt would run braces as a template. */
function quote(comment: string): string {
  const text = comment.replaceAll(/\s+/g, ' ').trim();
  if (/\{[{%#]/.test(text)) throw new Error(`dbt would run this as a template: ${text}`);
  return JSON.stringify(text);
}
