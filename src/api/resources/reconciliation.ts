// Whether transactions explain the balances, down to the postings.
import { explained, postings } from '../../store/read-api/balances/explained.ts';
import {
  lateCorrections,
  reconciliation,
  reconciliationPostings,
  reconciliationUncertain,
} from '../../store/read-api/reconciliation.ts';
import { listOperation } from '../answer/list-operation.ts';
import { choice, flagOrUnknown, moment, text } from '../answer/parameter-kinds.ts';
import { days } from './reports.ts';

const kind = choice(['status', 'correction'], 'Only changes of a status, or only corrections.');

export const reconciliationOperations = [
  listOperation({
    id: 'listReconciliation',
    path: '/v1/reconciliation',
    summary: 'Whether transactions explain the balances, by day and asset',
    listing: reconciliation,
    row: 'ReconciledDay',
    filters: {
      ...days,
      is_explained: flagOrUnknown('Only days that are explained, not explained, or undecided.'),
    },
  }),
  listOperation({
    id: 'listReconciledSpan',
    path: '/v1/reconciliation/between',
    summary: 'Whether transactions explain the balances between two observations, by asset',
    description: 'Default: between the last two observations of all vaults.',
    listing: explained,
    row: 'ExplainedChange',
    filters: {
      from: moment(
        'The opening is the last observation that began by this moment (snapshot_at), before the closing.',
      ),
      to: moment('The closing is the last observation that began by this moment (snapshot_at).'),
      asset_id: days.asset_id,
    },
  }),
  listOperation({
    id: 'listPostings',
    path: '/v1/postings',
    summary: 'The effect of each observed transaction change on the balance of an asset',
    listing: postings,
    row: 'Posting',
    filters: {
      transaction_id: text('Only those of this transaction.', '795d8712-0a2b-4ced-ad1a-67c831b7ccc3'),
      asset_id: days.asset_id,
      observed_from: moment('Only what was first seen at this moment or later.'),
      observed_to: moment('Only what was first seen before this moment.'),
    },
  }),
  listOperation({
    id: 'listReconciledPostings',
    path: '/v1/reconciliation/postings',
    summary: 'The postings behind each day of the reconciliation',
    description: 'Those of a day and asset add up to `inflow`, `outflow` and `fees` of its row.',
    listing: reconciliationPostings,
    row: 'ReconciliationPosting',
    filters: { ...days, kind },
  }),
  listOperation({
    id: 'listUncertainPostings',
    path: '/v1/reconciliation/uncertain',
    summary: 'Postings that may belong on either side of the last observation of a day',
    description: 'That observation closes its day and opens the next observed day.',
    listing: reconciliationUncertain,
    row: 'UncertainPosting',
    filters: { ...days, kind },
  }),
  listOperation({
    id: 'listLateCorrections',
    path: '/v1/late-corrections',
    summary: 'Figures known at the end of a day that differ from those known now',
    listing: lateCorrections,
    row: 'LateCorrection',
    filters: { ...days, measure: text('Only this figure.', 'in_amount') },
  }),
];
