// Text that the service sent. It is hostile: it may be long, change the direction of writing, or look like something else.
import { onOneLine } from '../../../domain/words.ts';

const longest = 200;

interface ForeignProps {
  readonly text: string | null | undefined;
  /** As code: identifiers, addresses, hashes. */
  readonly code?: boolean;
  readonly none?: string;
  /** Characters that are shown; the title has the rest. Default 200. */
  readonly most?: number;
}

export function Foreign({ text, code = false, none = '–', most = longest }: ForeignProps) {
  if (text === null || text === undefined || text === '') return <span class="soft">{none}</span>;
  const line = onOneLine(text);
  const isCut = line.length > most;
  const shown = isCut ? [...line].slice(0, most).join('') : line;
  const title = isCut ? { title: [...line].slice(0, 2_000).join('') } : {};
  const body = (
    <bdi {...title}>
      {shown}
      {isCut ? <span class="cut">…</span> : null}
    </bdi>
  );
  return code ? <code>{body}</code> : body;
}
