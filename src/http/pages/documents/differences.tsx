// What a state changed, value by value, and the values of a document.
import { counted } from '../../../domain/words.ts';
import { UntrustedText } from '../parts/values.tsx';
import { type Difference, type Member, shownValue } from './document-text.ts';

const mostShown = 40;

export function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  if (differences.length === 0) return <span class="soft">nothing but the form of its values</span>;
  return (
    <dl class="differences">
      {differences.slice(0, mostShown).map(({ path, before, after }) => (
        <>
          <dt>
            <UntrustedText text={path} none="the document" most={80} />
          </dt>
          <dd>
            <span class="hidden">before: </span>
            <del>
              <Value value={before} />
            </del>{' '}
            <span aria-hidden="true">→</span> <span class="hidden">after: </span>
            <ins>
              <Value value={after} />
            </ins>
          </dd>
        </>
      ))}
      <Rest count={differences.length - mostShown} />
    </dl>
  );
}

export function Members({ members }: { readonly members: readonly Member[] }) {
  return (
    <dl>
      {members.slice(0, mostShown).map(({ path, value }) => (
        <>
          <dt>
            <UntrustedText text={path} none="the document" most={80} />
          </dt>
          <dd>
            <Value value={value} />
          </dd>
        </>
      ))}
      <Rest count={members.length - mostShown} />
    </dl>
  );
}

function Value({ value }: { readonly value: string | null }) {
  if (value === null) return <span class="soft">not there</span>;
  return <UntrustedText text={shownValue(value)} none="empty" />;
}

function Rest({ count }: { readonly count: number }) {
  if (count <= 0) return null;
  return (
    <>
      <dt class="soft">…</dt>
      <dd class="soft">{counted(count, 'value')} more: the JSON has all</dd>
    </>
  );
}
