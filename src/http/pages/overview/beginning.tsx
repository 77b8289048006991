// The first minutes: nothing is mirrored yet, or the first reading is under way.
import { type Resource, resources } from '../../../domain/jobs.ts';
import { capitalized, counted } from '../../../domain/words.ts';
import { Badge, Notice } from '../parts/notice.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { accountOf, useView } from '../view/view.ts';
import { type Overview, readState, resourceWords } from './load.ts';

export function NothingMirrored() {
  return (
    <Notice tone="plain" title="Nothing is mirrored yet">
      <p>
        This page will show what the account holds, where it lies, what moved, and what needs a person. The
        mirror has not read anything of this account so far: nothing is known, which is not the same as
        nothing there.
      </p>
      <p>
        If <code>custody-mirror run</code> has just started, the first figures appear here within a minute. If
        this stays so, <Link to="/mirror">the page of the mirror</Link> says what is in the way.
      </p>
    </Notice>
  );
}

/** What was read so far; nothing once everything that is mirrored was read. */
export function FirstReading({ data }: { readonly data: Overview }) {
  const account = accountOf(useView());
  const { health } = data;
  const isReading = resources.some((resource) => ['unread', 'in part'].includes(readState(data, resource)));
  if (!isReading) return null;
  return (
    <Notice
      id="first-reading"
      tone="plain"
      title={health.writer === null ? 'The first reading has not ended' : 'The first reading is under way'}
    >
      <p>
        What is shown is what was read so far; what is missing is unknown, not zero.{' '}
        {account === undefined || account.transactions_total === 0
          ? null
          : `${counted(account.transactions_total, 'transaction')} so far. `}
        <Link to="/mirror">{health.writer === null ? 'See what to do' : 'See how far it is'}</Link>
      </p>
      <ul class="items">
        {resources.map((resource) => (
          <li>
            <ReadWords data={data} resource={resource} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function ReadWords({ data, resource }: { readonly data: Overview; readonly resource: Resource }) {
  const row = data.freshness.get(resource);
  const at = row?.last_success_at ?? null;
  const words = resourceWords(resource);
  const name = capitalized(words);
  const state = readState(data, resource);
  if (row?.is_failing === true)
    return (
      <>
        <Badge word="failing" tone="bad" /> {name}: the reading fails.
      </>
    );
  if (state === 'read')
    return (
      <>
        <Badge word="read" tone="good" /> {name} were read <Moment at={at} as="age" />.
      </>
    );
  const states = {
    'left out': 'are not mirrored (CUSTODY_RESOURCES)',
    unread: 'were not read yet',
    'in part': 'were read in part',
  };
  return (
    <>
      <Badge word={state} tone={state === 'left out' ? 'plain' : 'note'} /> {name} {states[state]}.
    </>
  );
}
