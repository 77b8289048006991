// What is odd in the data of the service.
import { resources } from '../../../domain/jobs.ts';
import { anomalyInWords, anomalyKinds } from '../../../status/words.ts';
import type { Anomaly } from '../page/api.ts';
import type { Field } from '../parts/form.tsx';
import type { Column } from '../parts/table.tsx';
import { TextLink, UntrustedBlock, UntrustedText } from '../parts/values.tsx';
import { transactionPath } from '../view/view.ts';
import { foundListPage, seenColumns, stateField } from './found-list.tsx';

/** Kinds of which the record is one transaction. */
const ofTransactions: readonly string[] = ['terminal-status-left', 'conflicting-content', 'vanished'];

const fields: readonly Field[] = [
  { name: 'kind', label: 'Kind', choices: anomalyKinds },
  { name: 'resource', label: 'Concerns', choices: resources.map((resource) => [resource, resource]) },
  stateField,
];

const columns: readonly Column<Anomaly>[] = [
  {
    title: 'What',
    cell: ({ kind }) => (
      <>
        {anomalyInWords(kind)}{' '}
        <span class="soft">
          <UntrustedText text={kind} code />
        </span>
      </>
    ),
  },
  {
    title: 'Concerns',
    cell: ({ kind, resource, resource_id }) => (
      <>
        <bdi>{resource}</bdi>{' '}
        <TextLink
          to={ofTransactions.includes(kind) && resource_id !== '' ? transactionPath(resource_id) : null}
          text={resource_id}
          code
          none="the whole list"
        />
      </>
    ),
  },
  {
    title: 'Details',
    cell: ({ anomaly_id, details }) => (
      <details id={`anomaly-${anomaly_id}`}>
        <summary>What was seen</summary>
        <UntrustedBlock text={JSON.stringify(details, null, 2)} />
      </details>
    ),
  },
  ...seenColumns,
];

export const anomaliesPage = foundListPage({
  id: 'listAnomalies',
  path: '/mirror/anomalies',
  title: 'Anomalies',
  about:
    'What the service sends is mirrored as it is. What is odd about it is noted here, and resolved when it is seen to be gone.',
  fields,
  rowsOfPage: 50,
  caption: 'Anomalies, the latest first',
  noun: 'anomaly',
  plural: 'anomalies',
  columns,
  empty: 'No anomaly matches.',
});
