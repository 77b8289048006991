// Makes text from the service or the network safe for errors and logs.
// Invariant: the text shown holds neither a key nor control characters, and is at most 300 characters long.
import type { Secret } from '../../base/secret.ts';
import { onOneLine } from '../../domain/words.ts';

const maxLength = 300;
/** The part of a text that is examined. */
const maxRead = 4 * maxLength;

export type ForeignText = ReturnType<typeof createForeignText>;

export function createForeignText(keys: () => readonly Secret[]) {
  return {
    /** The text on one line, without the key, at most 300 characters. */
    show(text: string): string {
      const forms = keys()
        .flatMap((key) => [onOneLine(key.reveal()), encodeURIComponent(key.reveal())])
        .filter((form) => form !== '');
      // Long text is cut before the search, which may cut a key in two.
      const isCut = text.length > maxRead;
      let shown = onOneLine(text.slice(0, maxRead));
      for (const form of forms) shown = shown.replaceAll(form, '[key]');
      if (isCut) for (const form of forms) shown = withoutBeginning(shown, form);
      return shown.length <= maxLength ? shown : `${shown.slice(0, maxLength - 1)}…`;
    },
  };
}

/** The text without a trailing fragment that may be the start of the key. */
function withoutBeginning(text: string, key: string): string {
  for (let length = key.length - 1; length > 0; length -= 1)
    if (text.endsWith(key.slice(0, length))) return text.slice(0, -length);
  return text;
}
