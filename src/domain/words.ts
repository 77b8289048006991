// Writes numbers, ages and foreign text for people, the same on the terminal and on the pages.

const number = new Intl.NumberFormat('en');

/** `1,234 records`. Give the plural when it is not the noun with an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${number.format(count)} ${count === 1 ? noun : plural}`;
}

export function grouped(count: number): string {
  return number.format(count);
}

/** A length of time in its one or two largest units: `12 s`, `3 min`, `2 h 5 min`, `4 days`. */
export function lengthInWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return `${number.format(days)} ${days === 1 ? 'day' : 'days'}`;
}

/** How long before `now` the moment was, both ISO 8601: `12 s ago`, `just now`, `never` for null. */
export function agoInWords(moment: string | null, now: string): string {
  if (moment === null) return 'never';
  const ms = Date.parse(now) - Date.parse(moment);
  if (Number.isNaN(ms)) return 'at an unknown time';
  return ms < 1000 ? 'just now' : `${lengthInWords(ms)} ago`;
}

/** `vaults and whitelist` */
export function listed(names: readonly string[]): string {
  const [last = '', ...before] = names.toReversed();
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`;
}

/** With a capital at its beginning. */
export function capitalized(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Foreign text on one line, without characters that hide, move the cursor or turn the text around. */
export function onOneLine(text: string): string {
  return text.replace(/[\s\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu, ' ').trim();
}
