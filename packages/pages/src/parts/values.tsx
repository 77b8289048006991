// Moments, texts that the service sent, and links. What the service sent is hostile: it may be long, reverse
// the writing, or look like something else; of its addresses only those of the web become links, labelled
// with their host.

import type { Child } from 'hono/jsx';
import type { GetTickAnswer } from '../api/ask.ts';
import { agoInWords, grouped, onOneLine, withoutZeros } from '../api/words.ts';
import { localTime, shortTime } from '../view/moments.ts';
import * as numbers from '../view/numbers.ts';
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
      {checkpoint === null
        ? 'not yet sealed'
        : [`sealed in checkpoint ${grouped(checkpoint)} of `, <Moment at={signed_at} />]}
      {verified_at && ['; ', <Link to="/sync#sealed">{found}</Link>, ', found ', <Moment at={verified_at} />]}
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
      {isCut && <span class="cut">… {grouped(text.length - shown.length)} more characters: see JSON</span>}
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

export function Link({ to, children }: LinkProps) {
  if (to === null) return <>{children}</>;
  return <a href={hrefOf(useView(), to)}>{children}</a>;
}

export function hrefOf(view: View, to: NonNullable<LinkProps['to']>): string {
  return typeof to === 'string' ? addressOf(view, to) : addressOf(view, ...to);
}

/** The same by a text of the service. */
export function TextLink({ to, ...text }: UntrustedProps & Pick<LinkProps, 'to'>) {
  return (
    <Link to={to}>
      <UntrustedText {...text} />
    </Link>
  );
}

export function OutLink({ address }: { readonly address: string | null }) {
  if (!address) return <span class="soft">–</span>;
  const url = URL.canParse(address) ? new URL(address) : null;
  const shown = <UntrustedText text={address} code />;
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    return <>{[shown, ' ', <span class="soft">(no web address)</span>]}</>;
  return (
    <a href={url.href} rel="noreferrer">
      View on <bdi>{url.host}</bdi>
    </a>
  );
}

// Amounts, sums of money and changes, rounded for the eye: the whole figure is in the title, in the page of
// the asset or the transaction, and behind every export. An unknown figure says so, and is never zero.

const shownDecimals = 8;
export const short = { decimals: 4 };

interface AmountProps {
  readonly value: string | null | undefined;
  readonly unit?: string | null;
  /** With `+` where it is positive: for changes. */
  readonly signed?: boolean;
  readonly none?: string;
  readonly decimals?: number;
}

export function Amount({ unit = null, decimals = shownDecimals, ...figure }: AmountProps) {
  return (
    <Shown {...figure} most={decimals}>
      {unit === null ? null : (
        <span class="unit">
          {' '}
          <UntrustedText text={unit} most={40} />
        </span>
      )}
    </Shown>
  );
}

type FigureProps = Pick<AmountProps, 'value' | 'signed' | 'none'>;

export function Money({ currency, ...figure }: FigureProps & { readonly currency: string }) {
  return (
    <Shown {...figure} {...numbers.currencyDecimals(currency)} before={numbers.currencySign(currency)} />
  );
}

interface ShownProps extends FigureProps {
  readonly most: number;
  readonly least?: number;
  readonly before?: string;
  readonly children?: Child;
}

function Shown({ value, signed = false, none = 'unknown', most, least, before = '', children }: ShownProps) {
  const { preferences } = useView();
  if (value === null || value === undefined) return <span class="soft">{none}</span>;
  const figure =
    preferences.digits === 'all' || most === Infinity ? null : numbers.figureOf(value, most, least);
  const isNegative = value.startsWith('-') && numbers.isSome(value);
  const sign = isNegative ? '-' : signed && numbers.isSome(value) ? '+' : '';
  const exact = numbers.exactText(value);
  const digits = figure === null ? exact : numbers.figureText({ ...figure, isRounded: false });
  const title = withoutZeros(digits) === withoutZeros(exact) ? {} : { title: `${before}${exact}` };
  const [whole = '', fraction] = digits.replace(/^-/, '').split('.');
  const quiet = fraction?.slice(short.decimals);
  const tone = sign === '+' ? ' up' : isNegative ? ' down' : '';
  return (
    <data
      class={`amount${before === '' ? '' : ' money'}${tone}${digits.length > 40 ? ' long' : ''}`}
      value={value}
      {...title}
    >
      {figure?.isRounded === true ? '≈' : ''}
      {sign}
      {before}
      {whole}
      {fraction === undefined ? null : (
        <span class="fraction">
          .{fraction.slice(0, short.decimals)}
          {quiet === '' ? null : <span class="soft">{quiet}</span>}
        </span>
      )}
      {children}
    </data>
  );
}

/** How many decimals of the amount are shown: by the most of a column its amounts stand point under point. */
export function placesOf(value: string | null | undefined, decimals = shownDecimals, least = 0): number {
  return numbers.figureOf(value ?? '', decimals, least)?.fraction.length ?? 0;
}

interface ChangeProps {
  readonly value: string | null;
  readonly since: string | null;
  readonly currency: string;
  readonly none?: string;
}

export function Change({ value, since, currency, none = 'unknown' }: ChangeProps) {
  if (value === null) return <span class="soft">{none}</span>;
  const share = numbers.shareOf(value, since);
  const tone = !numbers.isSome(value) ? 'soft' : value.startsWith('-') ? 'down' : 'up';
  const arrow = { soft: '', down: '▼ ', up: '▲ ' }[tone];
  return (
    <span class={`change ${tone}`}>
      <span aria-hidden="true">{arrow}</span>
      <Money value={value} currency={currency} signed />
      {share === null ? null : ` (${value.startsWith('-') ? '' : '+'}${share})`}
    </span>
  );
}
