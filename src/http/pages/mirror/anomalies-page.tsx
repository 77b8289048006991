// What is odd in the data of the service.
import type { Anomaly } from '../../../../packages/client/src/generated/types/api-types.ts';
import { resources } from '../../../domain/jobs.ts';
import { anomalyInWords, anomalyKinds } from '../../../status/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { ChoiceField, Filters } from '../parts/form.tsx';
import type { Column } from '../parts/table.tsx';
import { UntrustedBlock, UntrustedText } from '../parts/text.tsx';
import { transactionAddress } from '../view/places.ts';
import type { View } from '../view/view.ts';
import { foundList } from './found-list.tsx';
import { StateField, seenColumns } from './seen.tsx';

/** Kinds of which the record is one transaction. */
const ofTransactions: readonly string[] = ['terminal-status-left', 'conflicting-content', 'vanished'];
const rowsOfPage = 50;

export const anomaliesPage: Page = {
  path: '/mirror/anomalies',
  section: 'mirror',
  about: [],
  parameters: parametersOf('listAnomalies', 'kind', 'resource', 'resolved', 'cursor', 'limit'),
  async show({ given, view, ask }) {
    const { account: _account, ...filters } = given;
    const query = { limit: rowsOfPage, ...filters };
    const found = await ask.known('listAnomalies', query);
    return foundList({
      view,
      title: 'Anomalies',
      about:
        'What the service sends is mirrored as it is. What is odd about it is noted here, and resolved when it is seen to be gone.',
      filters: <AnomalyFilters view={view} />,
      found,
      caption: 'Anomalies, the latest first',
      noun: 'anomaly',
      plural: 'anomalies',
      columns: columnsOf(view),
      empty: 'No anomaly matches.',
      source: { path: '/v1/anomalies', query },
    });
  },
};

function AnomalyFilters({ view }: { readonly view: View }) {
  return (
    <Filters view={view} label="Anomalies">
      <ChoiceField view={view} name="kind" label="Kind" options={anomalyKinds} />
      <ChoiceField
        view={view}
        name="resource"
        label="Concerns"
        options={resources.map((resource) => [resource, resource])}
      />
      <StateField view={view} />
    </Filters>
  );
}

function columnsOf(view: View): readonly Column<Anomaly>[] {
  return [
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
          {ofTransactions.includes(kind) && resource_id !== '' ? (
            <a href={transactionAddress(view, resource_id)}>
              <UntrustedText text={resource_id} code />
            </a>
          ) : (
            <UntrustedText text={resource_id} code none="the whole list" />
          )}
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
    ...seenColumns(view),
  ];
}
