// What changed in vaults and whitelist over a span of time, newest first.
import { type Page, parametersOf } from '../page/page.ts';
import { ChoiceField, Filters, MomentField, TextField } from '../parts/form.tsx';
import { ChangesTable } from './changes-table.tsx';
import { readChanges } from './document-text.ts';

const shownAtOnce = 50;

export const documentChangesPage: Page = {
  path: '/documents/changes',
  section: 'documents',
  about: ['vaults', 'whitelist'],
  parameters: parametersOf(
    'listDocumentChanges',
    'kind',
    'document_id',
    'change',
    'is_older_than_mirror',
    'observed_from',
    'observed_to',
    'cursor',
  ),
  async show({ given, view, ask }) {
    const { account: _account, ...filters } = given;
    const query = { ...filters, limit: shownAtOnce };
    const found = readChanges(await ask.text('listDocumentChanges', query));
    return {
      title: 'Changes of vaults and whitelist',
      content: (
        <>
          <Filters view={view} label="Changes">
            <MomentField view={view} name="observed_from" label="From" />
            <MomentField view={view} name="observed_to" label="To" />
            <ChoiceField
              view={view}
              name="kind"
              label="Of"
              any="vaults and whitelist"
              options={[
                ['vault', 'vaults'],
                ['whitelist_entry', 'whitelist'],
              ]}
            />
            <ChoiceField
              view={view}
              name="change"
              label="What happened"
              options={[
                ['added', 'added'],
                ['changed', 'changed'],
                ['removed', 'removed'],
                ['restored', 'restored'],
              ]}
            />
            <ChoiceField
              view={view}
              name="is_older_than_mirror"
              label="Found by the first reading"
              any="with those"
              options={[
                ['false', 'without those'],
                ['true', 'only those'],
              ]}
            />
            <TextField view={view} name="document_id" label="Identifier" />
          </Filters>
          <ChangesTable
            view={view}
            caption="Changes, newest first"
            found={found}
            empty="The mirror saw no such change. What was never read is not known: the line above tells."
            source={{ path: '/v1/documents/changes', query }}
          />
        </>
      ),
    };
  },
};
