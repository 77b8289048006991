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
import { readTick } from '../../store/read-api/one-tick.ts';
import { listOperation } from '../answer/list-operation.ts';
import { oneOperation } from '../answer/one-operation.ts';
import { choice, day, fieldParameter, identifier, moment, text } from '../answer/parameter-kinds.ts';
import { rowSchema, sealedSchema } from '../answer/schemas.ts';

export const vaultType = choice(
  balanceVaultTypes,
  'Only what all vaults hold, or those of one type. Do not add them up: all holds the other two.',
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
      'An observation counts from its answer on. Where `is_known` is false the figures are null because they are unknown, not zero.',
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
      'The three are separate answers of the service, a moment apart. Worth is that of all vaults, at the latest price given until then.',
    listing: balanceSplit,
    row: 'BalanceSplit',
    past: { listing: { ...balanceSplit, name: 'balance-split-at' }, row: 'BalanceSplitAt', of: 'balances' },
    filters: {
      asset_id: filters.asset_id,
      network_id: filters.network_id,
      currency: text('The currency in which to value them; without it, none.', 'USD'),
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
    summary: 'The complete observations of balances, also those in which nothing had changed',
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
    parameter: { ...moment('When the tick began, as `snapshot_at` tells it.'), in: 'path', required: true },
    row: 'Tick',
    schema: z.object({
      snapshots: z
        .array(rowSchema(snapshots))
        .meta({ description: 'One of each vault type that was observed.' }),
      sealed: sealedSchema('all of them'),
    }),
    read: readTick,
  }),
  listOperation({
    id: 'listBalanceSeries',
    path: '/v1/balances/assets/{asset_id}/series',
    summary:
      'The balances of one asset over a span of time, in even steps, with the gaps in which nothing was observed',
    description:
      'The last observation of each step, exact; steps are as long as it takes for at most about 200 of them. Steps without an observation are left out, but one row tells of each gap. Every change is in /v1/balances/history.',
    listing: balanceSeries,
    row: 'BalancePoint',
    filters: {
      asset_id: identifier('Identifier of the asset.', 'BTC'),
      network_id: filters.network_id,
      vault_type: vaultType,
      from: moment(
        'Where the span begins; 30 days before its end without it. What is before the mirror is left out.',
      ),
      to: moment('Where the span ends; now without it, and never later.'),
    },
    exists: hasAsset,
  }),
  listOperation({
    id: 'listBalanceTrends',
    path: '/v1/balances/trends',
    summary: 'How much of each asset was held at the end of each of some days, in one row for each asset',
    description:
      'The totals of the days, 30 without `day_from`, at most the last 366. A day without an observation, or at whose end the balance was unknown or not listed, is left out: that is not zero.',
    listing: balanceTrends,
    row: 'BalanceTrend',
    filters: {
      ...filters,
      day_from: day("Only this day and later ones, in the account's time zone."),
      day_to: day("Only this day and earlier ones, in the account's time zone."),
    },
  }),
];
