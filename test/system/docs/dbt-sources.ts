// Writes deploy/dbt/models/sources.yml: what docs/data-dictionary.md says of the schemas that a reader may
// read, as sources for dbt. The dictionary itself is compared with the comments in the database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './blocks.ts';

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

export function writeDbtSources(): string {
  const dictionary = readFileSync(join(root, 'docs/data-dictionary.md'), 'utf8');
  return `# Views and tables with their meaning. Generated from docs/data-dictionary.md by npm run docs:generate.
version: 2

sources:
${['reporting', 'custody'].map((schema) => sourceOf(dictionary, schema)).join('\n')}`;
}

function sourceOf(dictionary: string, schema: string): string {
  const [, chapter = ''] = dictionary.split(new RegExp(`^## ${schema}$`, 'm'));
  const [own = ''] = chapter.split(/^## /m);
  const [about = '', ...sections] = own.split(/^### /m);
  const tables = sections.filter((section) => /^\w+\.\w+\n/.test(section)).map(tableOf);
  return `  - name: custody_mirror_${schema}
    schema: ${schema}
    description: ${quote(about.trim().split('\n')[0] ?? '')}
    tables:
${tables.join('')}`;
}

function tableOf(section: string): string {
  const [heading = '', , comment = ''] = section.split('\n');
  const name = heading.split('.')[1] ?? '';
  const columns = columnsOf(section).map(
    ({ column, type, meaning }) => `          - name: ${column}
            data_type: ${quote(type)}
            description: ${quote(meaning)}
`,
  );
  return `      - name: ${name}
        description: ${quote(comment)}
${name === 'data_freshness' ? freshness : ''}        columns:
${columns.join('')}`;
}

export interface DocumentedColumn {
  readonly column: string;
  readonly type: string;
  /** As Markdown. */
  readonly meaning: string;
}

/** @param section of a view or table in the data dictionary */
export function columnsOf(section: string): DocumentedColumn[] {
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(/ \| /))
    .map(([name = '', type = '', ...rest]) => ({
      column: name.replaceAll('`', ''),
      type,
      meaning: rest.at(-1) ?? '',
    }));
}

/** Without what Markdown escapes. */
export const plain = (markdown: string) => markdown.replaceAll(/\\([^\w\s])/g, '$1').replaceAll(/\\_/g, '_');

/** As a YAML string. dbt would run braces as a template. */
function quote(markdown: string): string {
  const text = plain(markdown);
  if (/\{[{%#]/.test(text)) throw new Error(`dbt would run this as a template: ${text}`);
  return JSON.stringify(text);
}
