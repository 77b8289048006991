// Records that could not be read: the text as it came, and the reason.
import type { QuarantinedRecord } from '../../../../packages/client/src/generated/types/api-types.ts';
import { resources } from '../../../domain/jobs.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { ChoiceField, Filters } from '../parts/form.tsx';
import type { Column } from '../parts/table.tsx';
import { UntrustedBlock, UntrustedText } from '../parts/text.tsx';
import type { View } from '../view/view.ts';
import { foundList } from './found-list.tsx';
import { StateField, seenColumns } from './seen.tsx';

/** Few, because each may be long. */
const rowsOfPage = 25;

export const quarantinePage: Page = {
  path: '/mirror/quarantine',
  section: 'mirror',
  about: [],
  parameters: parametersOf('listQuarantine', 'resource', 'resolved', 'cursor', 'limit'),
  async show({ given, view, ask }) {
    const { account: _account, ...filters } = given;
    const query = { limit: rowsOfPage, ...filters };
    const found = await ask.known('listQuarantine', query);
    return foundList({
      view,
      title: 'Quarantine',
      about:
        'Records that could not be read are kept here as text. Their neighbours are mirrored. A record leaves quarantine when it can be read, or when the service lists it no longer.',
      filters: (
        <Filters view={view} label="Quarantine">
          <ChoiceField
            view={view}
            name="resource"
            label="List"
            options={resources.map((resource) => [resource, resource])}
          />
          <StateField view={view} />
        </Filters>
      ),
      found,
      caption: 'Records in quarantine, the latest first',
      noun: 'record',
      columns: columnsOf(view),
      empty: 'No record matches.',
      source: { path: '/v1/quarantine', query },
    });
  },
};

function columnsOf(view: View): readonly Column<QuarantinedRecord>[] {
  return [
    {
      title: 'List',
      cell: ({ resource, quarantine_id }) => (
        <>
          <bdi>{resource}</bdi> <span class="soft">no. {quarantine_id}</span>
        </>
      ),
    },
    {
      title: 'Reason and record',
      cell: ({ reason, raw, quarantine_id }) => (
        <>
          <UntrustedText text={reason} most={500} />
          <details id={`record-${quarantine_id}`}>
            <summary>The record as it came</summary>
            <UntrustedBlock text={raw} />
          </details>
        </>
      ),
    },
    ...seenColumns(view),
  ];
}
