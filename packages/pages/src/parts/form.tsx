// Filters: those in use as chips, and a GET form in a menu, so that its results have an address. Its fields
// are data, and hold the values of the present address. Next to it, links to the most common selections.
import type { Child } from 'hono/jsx';
import { fieldMoment, localTime, originalSuffix, roundTripped } from '../view/moments.ts';
import { sameWith, useView, type View } from '../view/view.ts';
import { Icon } from './icon.tsx';
import { hrefOf, type LinkProps, UntrustedText } from './values.tsx';

export interface Field {
  readonly name: string;
  readonly label: string;
  /** A moment is typed in the reader's zone and sent in UTC; a day is one of the account's zone. */
  readonly kind?: 'moment' | 'day';
  readonly hint?: string;
  /** A choice of values, with their words where these differ. Another present value is kept. */
  readonly choices?: readonly (string | readonly [value: string, word: string])[];
  /** The word for no choice. Default `any`. */
  readonly any?: string;
}

/** A choice of one value, each with its word. */
export function choice(
  name: string,
  label: string,
  words: Readonly<Record<string, string>>,
  any = 'any',
): Field {
  return { name, label, choices: Object.entries(words), any };
}

interface FiltersProps {
  readonly label: string;
  readonly fields: readonly Field[];
  readonly word?: string;
  readonly children?: Child;
  /** Parameters of the address without a field in the form, which stay as they are. */
  readonly keep?: readonly string[];
}

export function Filters({ label, fields, keep = [], word = 'Filter', children }: FiltersProps) {
  const view = useView();
  const stays = ['account', ...keep];
  const names = Object.keys(view.query).filter((name) => !stays.includes(name));
  const active = fields.filter(({ name }) => view.query[name] !== undefined);
  return (
    <div class="chips">
      {active.map((field) => (
        <ActiveFilter {...field} />
      ))}
      <details class="menu filter" id={`filter-${label.toLowerCase().replaceAll(' ', '-')}`}>
        <summary>
          <Icon name="filter" /> {word}
        </summary>
        <form class="panel" method="get" action={view.path} aria-label={label}>
          {stays.map((name) => {
            const value = view.query[name];
            return value !== undefined && <input type="hidden" name={name} value={value} />;
          })}
          {fields.map((field) => (
            <FieldOf field={field} />
          ))}
          <p>
            <button type="submit">Show</button>
          </p>
          {children}
        </form>
      </details>
      {names.length < 2 ? null : (
        <a href={sameWith(view, Object.fromEntries(names.map((name) => [name, null])))}>Clear</a>
      )}
    </div>
  );
}

function ActiveFilter({ name, label, kind, choices }: Field) {
  const view = useView();
  const present = view.query[name] ?? '';
  const [, word] = choices?.find((each) => typeof each !== 'string' && each[0] === present) ?? [];
  const text = <UntrustedText text={word ?? present} most={40} />;
  const shown = kind === 'moment' ? typedFor(present, view).replace('T', ' ') : text;
  return (
    <a class="chip" href={sameWith(view, { [name]: null, cursor: null })}>
      {label}: {shown} <span aria-hidden="true">×</span>
      <span class="hidden"> (remove)</span>
    </a>
  );
}

function FieldOf({ field }: { readonly field: Field }) {
  const view = useView();
  const { name, label, kind, hint, choices, any = 'any' } = field;
  const present = view.query[name];
  const pairs = choices?.map((choice) => (typeof choice === 'string' ? ([choice, choice] as const) : choice));
  const isOther = pairs?.every(([value]) => value !== present) && present !== undefined;
  // A field holds whole seconds of a local time, which may mean another moment than it was filled with.
  const sent = kind === 'moment' && present && roundTripped(fieldMoment(present, view.closed), view.zone);
  const original = sent !== present && kind === 'moment' && `${name}${originalSuffix}`;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it holds the input or the select
    <label>
      <span>{kind === 'moment' ? `${label} (${view.zone})` : label}</span>
      {original && <input type="hidden" name={original} value={present} />}
      {pairs === undefined ? (
        <input {...inputOf(field, view)} />
      ) : (
        <select name={name}>
          <option value="">{any}</option>
          {(isOther ? [[present, present] as const, ...pairs] : pairs).map(([value, word]) => (
            <option value={value} selected={value === present}>
              {word}
            </option>
          ))}
        </select>
      )}
      {hint && <small>{hint}</small>}
    </label>
  );
}

function inputOf({ name, kind }: Field, view: View) {
  const value = view.query[name] ?? '';
  if (kind === 'day') return { type: 'date', name, value };
  if (kind === 'moment')
    return { type: 'datetime-local', step: '1', name, value: value === '' ? '' : typedFor(value, view) };
  return { type: 'text', name, value, autocomplete: 'off', spellcheck: false };
}

function typedFor(at: string, view: View): string {
  return localTime(fieldMoment(at, view.closed), view.zone);
}

interface JumpsProps {
  readonly label?: string;
  /** With the parameters that differ; null removes one. */
  readonly jumps: readonly (readonly [word: string, to: Readonly<Record<string, string | null>>])[];
}

export function Jumps({ label, jumps }: JumpsProps) {
  const view = useView();
  if (jumps.length === 0) return null;
  const isPresent = (to: JumpsProps['jumps'][number][1]) =>
    Object.entries(to).every(([name, value]) => (view.query[name] ?? null) === value);
  return (
    <p class="chips">
      {label && `${label} `}
      {jumps.map(([word, to]) => {
        const href = sameWith(view, { ...to, cursor: null });
        return (
          <a class="chip" href={href} aria-current={isPresent(to) ? 'true' : undefined} children={word} />
        );
      })}
    </p>
  );
}

interface ChipsProps {
  /** One without an address is left out. */
  readonly links: readonly (readonly [word: string, to: LinkProps['to'] | false])[];
}

export function Chips({ links }: ChipsProps) {
  const view = useView();
  const chip = ([word, to]: (typeof links)[number]) =>
    to && <a href={hrefOf(view, to)} class="chip" children={word} />;
  return <>{links.map(chip)}</>;
}

type ChoiceProps = Readonly<Record<'name' | 'value' | 'word', string>> & { readonly isChosen: boolean };

export function Choice({ name, value, word, isChosen }: ChoiceProps) {
  const view = useView();
  return isChosen ? (
    <strong aria-current="true">{word}</strong>
  ) : (
    <a href={sameWith(view, { [name]: value, cursor: null })}>{word}</a>
  );
}
