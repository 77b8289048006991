// Values as people read them: amounts, moments, texts that the service sent, and links. An amount is exact
// and never rounded: digits that are left out are marked, and the title holds them all. What the service sent
// is hostile: it may be long, change the direction of writing, or look like something else; of its addresses
// only those of the web are links, and the text names the host.
import type { Child } from 'hono/jsx';
import { agoInWords, grouped, onOneLine } from '../../../domain/words.ts';
import { addressOf, type Query, useView, type View } from '../view/view.ts';
import { localTime } from '../view/zone.ts';

const shownDecimals = 8;

interface AmountProps {
  /** A decimal number as text, as the API writes it. */
  readonly value: string | null | undefined;
  /** Asset or currency behind the figure. */
  readonly unit?: string | null;
  /** With `+` where it is positive: for changes. */
  readonly signed?: boolean;
  /** What stands for null. Default `unknown`: null is not zero. */
  readonly none?: string;
  /** Decimals that are shown, unless the reader chose all digits. Default 8. */
  readonly decimals?: number;
}

export function Amount(props: AmountProps) {
  const { preferences } = useView();
  const { value, unit = null, signed = false, decimals = shownDecimals, none = 'unknown' } = props;
  if (value === null || value === undefined) return <span class="soft">{none}</span>;
  const { text, isCut } = written(value, preferences.digits === 'all' ? Infinity : decimals);
  const sign = signed && !value.startsWith('-') && /[1-9]/.test(value) ? '+' : '';
  return (
    <data class="amount" value={value} {...(isCut ? { title: value } : {})}>
      {sign}
      {text}
      {isCut ? <span class="cut">…</span> : null}
      {unit === null ? null : <span class="unit"> {unit}</span>}
    </data>
  );
}

/** `-1234.5` as `-1,234.5`, cut after so many decimals. Text that is no plain number stays as it is. */
export function written(value: string, decimals: number): { readonly text: string; readonly isCut: boolean } {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (match === null) return { text: value, isCut: false };
  const [, sign = '', whole = '', fraction = ''] = match;
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  const isCut = fraction.length > decimals;
  const shown = isCut ? fraction.slice(0, decimals) : fraction;
  return { text: `${sign}${grouped}${shown === '' ? '' : `.${shown}`}`, isCut };
}

interface MomentProps {
  /** RFC 3339; null for what is not known. */
  readonly at: string | null | undefined;
  /** Instead of the time, how long ago it was; or both. */
  readonly as?: 'time' | 'age' | 'both';
  /** What stands for null. Default `unknown`. */
  readonly none?: string;
}

export function Moment({ at, as = 'time', none = 'unknown' }: MomentProps) {
  const view = useView();
  if (at === null || at === undefined) return <span class="soft">{none}</span>;
  const time = shownTime(at, view);
  const age = agoInWords(at, view.now);
  return (
    <time datetime={at} title={as === 'age' ? `${time} (${at})` : at}>
      {as === 'age' ? age : time}
      {as === 'both' ? <span class="soft"> ({age})</span> : null}
    </time>
  );
}

/** `2026-11-20 19:32:00` in the reader's zone. */
export function shownTime(at: string, { zone }: View): string {
  return localTime(at, zone).replace('T', ' ');
}

/** A bounded moment: between two readings. */
export function Between({ after, by }: { readonly after: string | null; readonly by: string | null }) {
  if (by === null) return <span class="soft">unknown</span>;
  if (after === null)
    return (
      <span>
        by <Moment at={by} />
      </span>
    );
  return (
    <span>
      between <Moment at={after} /> and <Moment at={by} />
    </span>
  );
}

const longest = 200;
/** What may be torn, so that it does not push the other columns of a table away. */
const longWord = /\S{25}/;

export interface UntrustedProps {
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

/**
 * A record as it came, on its own lines. What cannot be seen, or turns the writing around, stands there by
 * its number.
 */
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

export interface LinkProps {
  /** Path of a page, alone or with its parameters; null leads nowhere. */
  readonly to: string | readonly [path: string, query: Query] | null;
  readonly children: Child;
}

/** To a page of the same account. */
export function Link({ to, children }: LinkProps) {
  if (to === null) return <>{children}</>;
  const [path, query] = typeof to === 'string' ? [to] : to;
  return <a href={addressOf(useView(), path, query)}>{children}</a>;
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
  /** What is found there, before the host. */
  readonly text: string;
}

export function OutLink({ address, text }: OutLinkProps) {
  if (address === null || address === undefined || address === '') return <span class="soft">–</span>;
  const url = webAddress(address);
  if (url === null)
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

function webAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return ['https:', 'http:'].includes(url.protocol) ? url : null;
}
