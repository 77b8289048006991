// Makes text from the service or the network safe for errors and logs.
// Invariant: the text shown holds neither a key nor control characters, and is at most 300 characters long.
import type { Secret } from '../../base/secret.ts';

const maxLength = 300;

export interface ForeignText {
  /** The text on one line, without the key, at most 300 characters. */
  show(text: string): string;
}

export function createForeignText(keys: () => readonly Secret[]): ForeignText {
  return {
    show(text) {
      // Cut long text before the search. The cut leaves room for a whole key, so no part of a key is shown.
      const longest = Math.max(0, ...keys().map((key) => key.reveal().length));
      let shown = text
        .slice(0, 4 * maxLength + longest)
        .replace(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim();
      for (const key of keys()) {
        for (const form of new Set([key.reveal(), encodeURIComponent(key.reveal())])) {
          if (form !== '') shown = shown.replaceAll(form, '[key]');
        }
      }
      return shown.length <= maxLength ? shown : `${shown.slice(0, maxLength - 1)}…`;
    },
  };
}
