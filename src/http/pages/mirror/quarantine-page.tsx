// Records that could not be read: the text as it came, and the reason.
import { resources } from '../../../domain/jobs.ts';
import type { QuarantinedRecord } from '../page/api.ts';
import type { Column } from '../parts/table.tsx';
import { UntrustedBlock, UntrustedText } from '../parts/values.tsx';
import { foundListPage, seenColumns, stateField } from './found-list.tsx';

const columns: readonly Column<QuarantinedRecord>[] = [
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
  ...seenColumns,
];

export const quarantinePage = foundListPage({
  id: 'listQuarantine',
  path: '/mirror/quarantine',
  title: 'Quarantine',
  about:
    'Records that could not be read are kept here as text. Their neighbours are mirrored. A record leaves quarantine when it can be read, or when the service lists it no longer.',
  fields: [
    { name: 'resource', label: 'List', choices: resources.map((resource) => [resource, resource]) },
    stateField,
  ],
  // Few, because each may be long.
  rowsOfPage: 25,
  caption: 'Records in quarantine, the latest first',
  noun: 'record',
  columns,
  empty: 'No record matches.',
});
