// Whether transactions explain the balances, down to the postings.
import {
  lateCorrections,
  reconciliation,
  reconciliationPostings,
  reconciliationUncertain,
} from '../../../store/reading/reconciliation.ts';
import { listOperation } from '../answer/list-operation.ts';
import { choice, flagOrUnknown, text } from '../answer/parameter-kinds.ts';
import { days, tag } from './reports.ts';

const kind = choice(['status', 'correction'], 'Only changes of a status, or only corrections.');

export const reconciliationOperations = [
  listOperation({
    id: 'listReconciliation',
    path: '/v1/reconciliation',
    tag,
    summary: 'Whether transactions explain the balances, by day and asset',
    listing: reconciliation,
    row: 'ReconciledDay',
    filters: {
      ...days,
      is_explained: flagOrUnknown(
        'Only days that are explained, that are not, or for which that is unknown.',
      ),
    },
  }),
  listOperation({
    id: 'listReconciledPostings',
    path: '/v1/reconciliation/postings',
    tag,
    summary: 'The postings behind each day of the reconciliation',
    description: 'Those of a day and asset add up to `inflow`, `outflow` and `fees` of its row.',
    listing: reconciliationPostings,
    row: 'ReconciliationPosting',
    filters: { ...days, kind },
  }),
  listOperation({
    id: 'listUncertainPostings',
    path: '/v1/reconciliation/uncertain',
    tag,
    summary: 'The postings that may lie on either side of the last observation of a day',
    description:
      'That observation is the closing one of its day, and the opening one of the next day that has one.',
    listing: reconciliationUncertain,
    row: 'UncertainPosting',
    filters: { ...days, kind },
  }),
  listOperation({
    id: 'listLateCorrections',
    path: '/v1/late-corrections',
    tag,
    summary: 'Where the figures known at the end of a day differ from those known now',
    listing: lateCorrections,
    row: 'LateCorrection',
    filters: { ...days, measure: text('Only this figure.', 'in_amount') },
  }),
];
