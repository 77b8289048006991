// Filters: a form by GET, so that what it finds has an address. Fields hold the values of the present address.
import type { Child } from 'hono/jsx';
import { sameWith, type View } from '../view/view.ts';
import { localTime, originalSuffix, roundTripped } from '../view/zone.ts';

export function Filters({
  view,
  label,
  keep = [],
  children,
}: {
  readonly view: View;
  /** What is filtered, for who does not see it. */
  readonly label: string;
  /** Parameters of the address that the form has no field for, and that stay as they are. */
  readonly keep?: readonly string[];
  readonly children: Child;
}) {
  const account = view.query['account'];
  const stays = (name: string) => name === 'account' || keep.includes(name);
  const isFiltered = Object.keys(view.query).some((name) => !stays(name));
  const clean = Object.fromEntries(
    Object.entries(view.query).map(([name, value]) => [name, stays(name) ? value : null]),
  );
  return (
    <form class="filters" method="get" action={view.path} aria-label={label}>
      {account === undefined ? null : <input type="hidden" name="account" value={account} />}
      {keep.map((name) =>
        view.query[name] === undefined ? null : <input type="hidden" name={name} value={view.query[name]} />,
      )}
      {children}
      <div class="actions">
        <button type="submit">Show</button>
        {isFiltered ? <a href={sameWith(view, clean)}>Clear</a> : null}
      </div>
    </form>
  );
}

interface FieldProps {
  readonly view: View;
  /** Name of the parameter. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

export function TextField({
  view,
  name,
  label,
  hint,
  suggestions,
}: FieldProps & { readonly suggestions?: readonly string[] }) {
  const list = suggestions === undefined ? {} : { list: `${name}-values` };
  return (
    <label>
      <span>{label}</span>
      <input
        type="text"
        name={name}
        value={view.query[name] ?? ''}
        autocomplete="off"
        spellcheck={false}
        {...list}
      />
      {suggestions === undefined ? null : (
        <datalist id={`${name}-values`}>
          {suggestions.map((value) => (
            <option value={value} />
          ))}
        </datalist>
      )}
      {hint === undefined ? null : <small>{hint}</small>}
    </label>
  );
}

export function ChoiceField({
  view,
  name,
  label,
  options,
  any = 'any',
}: FieldProps & {
  /** Values with their words. A present value that is none of them is kept. */
  readonly options: readonly (readonly [value: string, word: string])[];
  readonly any?: string;
}) {
  const present = view.query[name];
  const isOther = present !== undefined && !options.some(([value]) => value === present);
  return (
    <label>
      <span>{label}</span>
      <select name={name}>
        <option value="">{any}</option>
        {isOther ? (
          <option value={present} selected>
            {present}
          </option>
        ) : null}
        {options.map(([value, word]) => (
          <option value={value} selected={value === present}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A moment, typed in the reader's zone; the address holds it in UTC. */
export function MomentField({ view, name, label, hint }: FieldProps) {
  const present = view.query[name];
  const isExact = present === undefined || roundTripped(present, view.zone) === present;
  return (
    <label>
      <span>
        {label} ({view.zone})
      </span>
      {isExact ? null : <input type="hidden" name={`${name}${originalSuffix}`} value={present} />}
      <input
        type="datetime-local"
        step="1"
        name={name}
        value={present === undefined ? '' : localTime(present, view.zone)}
      />
      {hint === undefined ? null : <small>{hint}</small>}
    </label>
  );
}

/** A calendar day of the account's zone. */
export function DayField({ view, name, label, hint }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input type="date" name={name} value={view.query[name] ?? ''} />
      {hint === undefined ? null : <small>{hint}</small>}
    </label>
  );
}
