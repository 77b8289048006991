// Paths as people type them: with a slash at the end, or with capitals.

/**
 * The path of the page that is meant, the values in it as they were given; null where no page has such a
 * path.
 *
 * @param patterns of the pages, such as `/transactions/:transaction_id`
 */
export function normalizePath(pathname: string, patterns: readonly string[]): string | null {
  const given = pathname.split('/').filter(Boolean);
  for (const pattern of patterns) {
    const parts = pattern.split('/').filter(Boolean);
    const isMeant = (part: string, index: number) =>
      part.startsWith(':') || part === given[index]?.toLowerCase();
    if (parts.length === given.length && parts.every(isMeant))
      return `/${parts.map((part, index) => (part.startsWith(':') ? given[index] : part)).join('/')}`;
  }
  return null;
}
