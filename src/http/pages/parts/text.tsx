// Text that the service sent. It is hostile: it may be long, change the direction of writing, or look like something else.
import { grouped, onOneLine } from '../../../domain/words.ts';

const longest = 200;
/** What may be torn, so that it does not push the other columns of a table away. */
const longWord = /\S{25}/;

interface UntrustedProps {
  readonly text: string | null | undefined;
  /** As code: identifiers, addresses, hashes. */
  readonly code?: boolean;
  readonly none?: string;
  /** Characters that are shown; the title has the rest. Default 200. */
  readonly most?: number;
}

export function UntrustedText({ text, code = false, none = '–', most = longest }: UntrustedProps) {
  if (text === null || text === undefined || text === '') return <span class="soft">{none}</span>;
  const line = onOneLine(text);
  const isCut = line.length > most;
  const shown = isCut ? [...line].slice(0, most).join('') : line;
  const title = isCut ? { title: [...line].slice(0, 2_000).join('') } : {};
  const body = (
    <bdi {...title} class={longWord.test(shown) ? 'long' : 'text'}>
      {shown}
      {isCut ? <span class="cut">…</span> : null}
    </bdi>
  );
  return code ? <code>{body}</code> : body;
}

const longestBlock = 4_000;

/** A record as it came, on its own lines. What cannot be seen, or turns the writing around, stands there by its number. */
export function UntrustedBlock({ text }: { readonly text: string }) {
  const isCut = text.length > longestBlock;
  const shown = isCut ? [...text.slice(0, longestBlock + 1)].slice(0, -1).join('') : text;
  return (
    <pre dir="ltr">
      {shown.replace(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu, numbered)}
      {isCut ? (
        <span class="cut">… {grouped(text.length - shown.length)} more characters: see JSON</span>
      ) : null}
    </pre>
  );
}

function numbered(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;
}
