// Balances now, at a moment and as their history, and the observations they come from.
import { z } from 'zod';
import { balanceVaultTypes } from '../../domain/balance.ts';
import { balanceNames } from '../../domain/fields.ts';
import {
  balanceHistory,
  balanceSplit,
  balances,
  balancesAt,
  snapshots,
} from '../../store/read-api/balances/balances.ts';
import { balanceSeries, hasAsset } from '../../store/read-api/balances/series.ts';
import { balanceTrends } from '../../store/read-api/balances/trends.ts';
import { readObservation } from '../../store/read-api/one-tick.ts';
import { listOperation } from '../answer/list-operation.ts';
import { oneOperation } from '../answer/one-operation.ts';
import { choice, day, fieldParameter, identifier, moment, text } from '../answer/parameter-kinds.ts';
import { rowSchema, sealedSchema } from '../answer/schemas.ts';

export const vaultType = choice(
  balanceVaultTypes,
  'Only the balances of all vaults, or of one type. Do not add them up: all includes the other two.',
);

const filters = {
  vault_type: vaultType,
  asset_id: fieldParameter(balanceNames.assetId.filter),
  network_id: fieldParameter(balanceNames.networkId.filter),
};

export const balanceOperations = [
  listOperation({
    id: 'listBalances',
    path: '/v1/balances',
    summary: 'Balances, now or at a moment',
    description:
      'An observation counts from its response on. Where `is_known` is false, the figures are null because they are unknown, not zero.',
    listing: balances,
    row: 'Balance',
    past: { listing: balancesAt, row: 'BalanceAt', of: 'balances' },
    filters,
  }),
  listOperation({
    id: 'listBalanceSplit',
    path: '/v1/balances/split',
    summary: 'Balances with all, warm and cold vaults side by side, now or at a moment',
    description:
      'The three come from separate responses of the service, moments apart. The value is that of all vaults, at the latest price known by then.',
    listing: balanceSplit,
    row: 'BalanceSplit',
    past: { listing: { ...balanceSplit, name: 'balance-split-at' }, row: 'BalanceSplitAt', of: 'balances' },
    filters: {
      asset_id: filters.asset_id,
      network_id: filters.network_id,
      currency: text('The currency for values. Default: none.', 'USD'),
    },
  }),
  listOperation({
    id: 'listBalanceHistory',
    path: '/v1/balances/history',
    summary: 'Every change of balances between two observations: the history of an asset',
    listing: balanceHistory,
    row: 'BalanceChange',
    filters: {
      ...filters,
      changed_from: moment('Only changes first observed at this moment or later.'),
      changed_to: moment('Only changes first observed before this moment.'),
    },
  }),
  listOperation({
    id: 'listSnapshots',
    path: '/v1/snapshots',
    summary: 'All complete observations of balances, including those without changes',
    listing: snapshots,
    row: 'Snapshot',
    filters: {
      vault_type: vaultType,
      snapshot_from: moment('Only observations of this moment or later.'),
      snapshot_to: moment('Only observations before this moment.'),
    },
  }),
  oneOperation({
    id: 'getTick',
    path: '/v1/snapshots/{snapshot_at}',
    summary: 'The observations of all, warm and cold vaults of one tick, and the checkpoint that seals them',
    parameter: { ...moment('When the tick began: its `snapshot_at`.'), in: 'path', required: true },
    row: 'Tick',
    schema: z.object({
      snapshots: z
        .array(rowSchema(snapshots))
        .meta({ description: 'One of each vault type that was observed.' }),
      sealed: sealedSchema('all of them'),
    }),
    read: readObservation,
  }),
  listOperation({
    id: 'listBalanceSeries',
    path: '/v1/balances/assets/{asset_id}/series',
    summary:
      'The balances of one asset over a span of time, evenly sampled, with gaps where nothing was observed',
    description:
      'The exact last observation of each step; the length of steps is chosen to give at most about 200. Steps without an observation are left out; each gap has one row. /v1/balances/history has every change.',
    listing: balanceSeries,
    row: 'BalancePoint',
    filters: {
      asset_id: identifier('Identifier of the asset.', 'BTC'),
      network_id: filters.network_id,
      vault_type: vaultType,
      from: moment(
        'Start of the span. Default: 30 days before its end. Anything before the initial sync is left out.',
      ),
      to: moment('End of the span. Default, and latest: now.'),
    },
    exists: hasAsset,
  }),
  listOperation({
    id: 'listBalanceTrends',
    path: '/v1/balances/trends',
    summary: 'How much of each asset was held at the end of each day, in one row for each asset',
    description:
      'Daily totals: 30 days without `day_from`, at most the last 366. A day without an observation, or with an unknown or unlisted closing balance, is left out: that is not zero.',
    listing: balanceTrends,
    row: 'BalanceTrend',
    filters: {
      ...filters,
      day_from: day("Only this day and later ones, in the account's time zone."),
      day_to: day("Only this day and earlier ones, in the account's time zone."),
    },
  }),
];
