// The fenced blocks of README.md, CONTRIBUTING.md and docs/*.md, with the heading under which each stands.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Block {
  /** Such as `README.md, Try it`; a second one under the same heading ends in ` (2)`. */
  readonly name: string;
  /** What stands behind the opening fence. */
  readonly language: string;
  readonly text: string;
}

const shellLanguages = new Set(['sh', 'bash', 'shell', 'console']);

const documents: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export const blocks: readonly Block[] = documents.flatMap((document) =>
  blocksOf(document, readFileSync(join(root, document), 'utf8')),
);

/** What a reader is told to type. */
export const commandBlocks = named(blocks.filter(({ language }) => shellLanguages.has(language)));

/** The blocks of a language under a heading, such as `docs/events.md, The channel`. @throws where none is */
export function blocksUnder(name: string, language: string): readonly string[] {
  const found = blocks.filter((block) => block.name === name && block.language === language);
  if (found.length === 0) throw new Error(`no block of ${language} under ${name}`);
  return found.map(({ text }) => text);
}

function blocksOf(document: string, text: string): Block[] {
  const parts = text.matchAll(/^#+ (?<heading>.+)$|^```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm);
  let under = '';
  return [...parts].flatMap(({ groups = {} }) => {
    if (groups['heading'] !== undefined) under = groups['heading'];
    if (groups['text'] === undefined) return [];
    return [{ name: `${document}, ${under}`, language: groups['language'] ?? '', text: groups['text'] }];
  });
}

function named(found: readonly Block[]): readonly Block[] {
  const met = new Map<string, number>();
  return found.map((block) => {
    const number = (met.get(block.name) ?? 0) + 1;
    met.set(block.name, number);
    return number === 1 ? block : { ...block, name: `${block.name} (${number})` };
  });
}
