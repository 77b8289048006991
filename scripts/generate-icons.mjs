// Writes the shapes of the icons that pages show, from the files of lucide-static, into one module: pages
// hold them in their HTML, and the package is not installed with the product. --check only tells whether
// the module is as it would be written.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** By the name in the pages: the name of lucide. */
const icons = {
  overview: 'layout-dashboard',
  balances: 'wallet',
  transactions: 'arrow-left-right',
  documents: 'vault',
  reconciliation: 'scale',
  sync: 'activity',
  search: 'search',
  menu: 'menu',
  export: 'download',
  filter: 'list-filter',
};

const target = fileURLToPath(new URL('../packages/pages/src/parts/icon-shapes.ts', import.meta.url));
const folder = new URL('../node_modules/lucide-static/icons/', import.meta.url);
const lines = Object.entries(icons).map(([name, file]) => {
  const svg = readFileSync(new URL(`${file}.svg`, folder), 'utf8');
  const shape = svg.replace(/^[\s\S]*?<svg[\s\S]*?>|<\/svg>\s*$/g, '').replace(/\s*\n\s*/g, '');
  return `  ${name}: '${shape}',`;
});
const written = `// Written by scripts/generate-icons.mjs from lucide-static (ISC license): change the list there.
export const iconShapes = {
${lines.join('\n')}
} as const;
`;
const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const text = execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${target}`], {
  input: written,
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  encoding: 'utf8',
});
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('icon-shapes.ts differs from its source: run npm run generate.\n');
  process.exitCode = 1;
}
