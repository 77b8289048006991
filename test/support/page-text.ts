// A page as its reader sees it.

/** With each figure in one piece: the digits behind the point are elements of their own. */
export function withWholeFigures(page: string): string {
  return page.replace(
    /<span class="fraction">(\.\d+)(?:<span class="soft">(\d+)<\/span>)?<\/span>/g,
    (_, loud: string, quiet = '') => `${loud}${quiet}`,
  );
}

/** The text, on one line; empty between what stands apart. */
export function textOf(page: string): string {
  return withWholeFigures(page)
    .replace(/<(script|style)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|quot|amp|#39|#x27);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:;)])/g, '$1')
    .replace(/\( /g, '(')
    .trim();
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  amp: '&',
  '#39': "'",
  '#x27': "'",
};
