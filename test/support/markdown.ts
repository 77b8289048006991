// Markdown as the generated documents write it.

const width = 120;

/** Lines of 120 columns. None begins with a sign that would make it an item of a list. */
export function wrap(text: string, indent = ''): string {
  const words = text.split(/ (?!(?:[-+#>]+|\d+[.)]) )/);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${lines.length === 0 ? '' : indent}${word}`);
  }
  return lines.join('\n');
}

/**
 * Text as Markdown that shows it as it is, in a paragraph or a cell of a table. An underscore within a word
 * means nothing.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*[\]<>|~$]/g, (sign) => `\\${sign}`)
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replaceAll(/&(?=#?\w+;)/g, '\\&')
    .replace(/^(\d+)([.)])(?= |$)/, '$1\\$2')
    .replace(/^([#+-])(?= |#|$)/, '\\$1');
}
