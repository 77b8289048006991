// Moments, texts that the service sent, and links. What the service sent is hostile: it may be long, reverse
// the writing, or look like something else; of its addresses only those of the web become links, labelled
// with their host.
import type { Child } from 'hono/jsx';
import type { GetTickAnswer } from '../api/ask.ts';
import { agoInWords, grouped, onOneLine } from '../api/words.ts';
import { localTime, shortTime } from '../view/moments.ts';
import { addressOf, type Query, useView, type View } from '../view/view.ts';

interface MomentProps {
  readonly at: string | null | undefined;
  /** Instead of the time, how long ago it was, or both; or the shortest form, for a cell of a table. */
  readonly as?: 'time' | 'age' | 'both' | 'short';
  readonly none?: string;
}

export function Moment({ at, as = 'time', none = 'unknown' }: MomentProps) {
  const view = useView();
  if (at === null || at === undefined) return <span class="soft">{none}</span>;
  const time = shownTime(at, view);
  const age = agoInWords(at, view.now);
  // Paper has no tooltip: there the full time stands in the place of a short one.
  if (as === 'age' || as === 'short')
    return (
      <time datetime={at} title={`${time} ${view.zone}`} class="brief">
        <span>{as === 'age' ? age : shortTime(at, view)}</span>
      </time>
    );
  return (
    <time datetime={at} title={at}>
      {time}
      {as === 'both' ? <span class="soft"> ({age})</span> : null}
    </time>
  );
}

export function shownTime(at: string, { zone }: View): string {
  return localTime(at, zone).replace('T', ' ');
}

export function Between({ after, by }: { readonly after: string | null; readonly by: string | null }) {
  if (by === null) return <span class="soft">unknown</span>;
  const from = after === null ? 'by ' : ['between ', <Moment at={after} />, ' and '];
  return (
    <span>
      {from}
      <Moment at={by} />
    </span>
  );
}

type SealedProps = NonNullable<GetTickAnswer['data']['sealed']>;

/** The checkpoint of the sealed history that holds something, and what the last verification found. */
export function Sealed({ checkpoint, signed_at, verified_at, is_altered }: SealedProps) {
  const found = is_altered ? 'the history was altered' : 'the history was verified';
  return (
    <>
      {checkpoint === null ? (
        'not yet sealed'
      ) : (
        <>
          sealed in checkpoint {grouped(checkpoint)} of <Moment at={signed_at} />
        </>
      )}
      {verified_at !== null && (
        <>
          ; <Link to="/sync#sealed">{found}</Link>, found <Moment at={verified_at} />
        </>
      )}
    </>
  );
}

const longest = 200;
/** Text that may break anywhere, so that it does not push away the other columns of a table. */
const longWord = /\S{25}/;

export interface UntrustedProps {
  readonly text: string | null | undefined;
  readonly code?: boolean;
  readonly none?: string;
  /** Characters that are shown; the title has the rest. Default 200. */
  readonly most?: number;
  /** People judge destinations by it: characters that are invisible or reverse the writing are shown. */
  readonly visible?: boolean;
}

export function UntrustedText({ text, code = false, none = '–', most = longest, visible }: UntrustedProps) {
  if (text === null || text === undefined || text === '') return <span class="soft">{none}</span>;
  const line = onOneLine(
    visible ? text.replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu, numbered) : text,
  );
  if (line === '') return <span class="soft">(blank)</span>;
  const characters = [...line];
  const isCut = characters.length > most;
  // The end of an identifier or an address matters as much as its beginning.
  const ends = code ? Math.floor(most / 2) - 1 : 0;
  const shown = isCut ? characters.slice(0, most - ends).join('') : line;
  const title = isCut ? { title: characters.slice(0, 2_000).join('') } : {};
  const body = (
    <bdi {...title} class={longWord.test(shown) ? 'long' : 'text'}>
      {shown}
      {isCut ? <span class="cut">…</span> : null}
      {isCut && ends > 0 ? characters.slice(-ends).join('') : null}
    </bdi>
  );
  return code ? <code>{body}</code> : body;
}

const longestBlock = 4_000;

/**
 * A record as it came, on its own lines. Characters that are invisible or reverse the writing appear as
 * numbers.
 */
export function UntrustedBlock({ text }: { readonly text: string }) {
  const isCut = text.length > longestBlock;
  const shown = isCut ? [...text.slice(0, longestBlock + 1)].slice(0, -1).join('') : text;
  return (
    <pre dir="ltr">
      {shown.replace(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, numbered)}
      {isCut ? (
        <span class="cut">… {grouped(text.length - shown.length)} more characters: see JSON</span>
      ) : null}
    </pre>
  );
}

function numbered(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;
}

export interface LinkProps {
  /** Path of a page, alone or with its parameters; null leads nowhere. */
  readonly to: string | readonly [path: string, query: Query] | null;
  readonly isChip?: boolean;
  readonly children: Child;
}

export function Link({ to, isChip = false, children }: LinkProps) {
  if (to === null) return <>{children}</>;
  const [path, query] = typeof to === 'string' ? [to] : to;
  return (
    <a href={addressOf(useView(), path, query)} {...(isChip ? { class: 'chip' } : {})}>
      {children}
    </a>
  );
}

/** The same by a text of the service. */
export function TextLink({ to, ...text }: UntrustedProps & Pick<LinkProps, 'to'>) {
  return (
    <Link to={to}>
      <UntrustedText {...text} />
    </Link>
  );
}

interface OutLinkProps {
  readonly address: string | null | undefined;
  readonly text: string;
}

export function OutLink({ address, text }: OutLinkProps) {
  if (address === null || address === undefined || address === '') return <span class="soft">–</span>;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    return (
      <>
        <UntrustedText text={address} code /> <span class="soft">(no web address)</span>
      </>
    );
  return (
    <a href={url.href} rel="noreferrer">
      {text} <bdi>{url.host}</bdi>
    </a>
  );
}
