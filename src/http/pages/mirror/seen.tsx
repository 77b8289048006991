// Columns that quarantine and anomalies share: when something was seen, and whether it still is so.
import { counted } from '../../../domain/words.ts';
import { ChoiceField } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { Badge } from '../parts/notice.tsx';
import type { Column } from '../parts/table.tsx';
import type { View } from '../view/view.ts';

interface SeenRow {
  readonly first_observed_at: string;
  readonly last_observed_at: string;
  readonly occurrences: number;
  readonly resolved_at: string | null;
}

export function seenColumns(view: View): readonly Column<SeenRow>[] {
  return [
    {
      title: 'Seen',
      cell: ({ first_observed_at, last_observed_at, occurrences }) => (
        <>
          <Moment view={view} at={first_observed_at} />
          <p class="soft">
            {counted(occurrences, 'time')}, last <Moment view={view} at={last_observed_at} as="age" />
          </p>
        </>
      ),
    },
    {
      title: 'State',
      cell: ({ resolved_at }) =>
        resolved_at === null ? (
          <Badge word="open" tone="note" />
        ) : (
          <>
            <Badge word="resolved" tone="good" />
            <p class="soft">
              <Moment view={view} at={resolved_at} />
            </p>
          </>
        ),
    },
  ];
}

export function StateField({ view }: { readonly view: View }) {
  return (
    <ChoiceField
      view={view}
      name="resolved"
      label="State"
      options={[
        ['false', 'open'],
        ['true', 'resolved'],
      ]}
    />
  );
}
