// What changed in vaults and whitelist over a span of time, newest first.
import { type Page, parametersOf } from '../page/page.ts';
import { type Field, Filters } from '../parts/form.tsx';
import { ChangesTable } from './changes-table.tsx';
import { readChanges } from './document-text.ts';

const shownAtOnce = 50;

const fields: readonly Field[] = [
  { name: 'observed_from', label: 'From', kind: 'moment' },
  { name: 'observed_to', label: 'To', kind: 'moment' },
  {
    name: 'kind',
    label: 'Kind',
    any: 'vaults and whitelist',
    choices: Object.entries({ vault: 'vaults', whitelist_entry: 'whitelist' }),
  },
  { name: 'change', label: 'Change', choices: ['added', 'changed', 'removed', 'restored'] },
  {
    name: 'is_older_than_mirror',
    label: 'Seen first by the initial sync',
    any: 'included',
    choices: Object.entries({ false: 'excluded', true: 'only these' }),
  },
  { name: 'document_id', label: 'Identifier' },
];

export const documentChangesPage: Page = {
  path: '/documents/changes',
  section: 'documents',
  about: ['vaults', 'whitelist'],
  parameters: parametersOf('listDocumentChanges', ...fields.map(({ name }) => name), 'cursor'),
  async show({ params, ask }) {
    const query = { ...params, limit: shownAtOnce };
    const found = readChanges(await ask.text('listDocumentChanges', query));
    return {
      title: 'Changes of vaults and whitelist',
      content: (
        <>
          <Filters label="Changes" fields={fields} />
          <ChangesTable
            caption="Changes, newest first"
            found={found}
            next={found.next}
            empty="No such change was observed. The bar above shows what has been read."
            source={{ path: '/v1/documents/changes', query }}
          />
        </>
      ),
    };
  },
};
