// The record as it was received when it last changed. Numbers keep their digits, and characters that would not show are written
// as JSON escapes.
import { parse, stringify } from 'lossless-json';

const longest = 60_000;

/** @param text what the API answers for the transaction */
export function RawRecord({ text }: { readonly text: string }) {
  const record = visible(stringify(rawOf(text), null, 2) ?? '');
  const isCut = record.length > longest;
  return (
    <section>
      <h2>The record as it was received</h2>
      <p class="soft">
        When it last changed, with all its fields. Its fields are in the order in which the database keeps
        them.
      </p>
      <details>
        <summary>Show the record</summary>
        <pre class="raw" dir="ltr">
          {isCut ? record.slice(0, longest) : record}
        </pre>
        {isCut ? <p>Cut here: the JSON of this transaction has all of it.</p> : null}
      </details>
    </section>
  );
}

function rawOf(text: string): unknown {
  const answer = parse(text);
  const data = memberOf(answer, 'data');
  return memberOf(data, 'raw');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : null;
}

/** Characters that change the direction of text or are not seen, as `\\u202e`; line breaks of the layout stay. */
function visible(json: string): string {
  return json.replace(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u007f-\u009f]/gu, (found) =>
    [...found].map((character) => escaped(character)).join(''),
  );
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
