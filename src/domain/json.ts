// JSON values, and how text is shown that PostgreSQL cannot store.

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is exactly what must be found.
const unstorable = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** True when the text holds U+0000 or a lone surrogate, which PostgreSQL stores in neither `text` nor `jsonb`. */
export function isStorable(text: string): boolean {
  unstorable.lastIndex = 0;
  return !unstorable.test(text);
}

/**
 * Replaces every U+0000 and lone surrogate by its six-character escape (`\u0000`, `\ud800`), so that the text can be stored
 * and a reader sees what it was.
 */
export function storableText(text: string): string {
  return text.replace(unstorable, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
