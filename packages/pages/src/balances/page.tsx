// Balances, now or as of any moment: an asset in each row, with all, warm and cold vaults side by side or one
// of them with its parts; or two moments side by side.

import { isDay } from '../../../../src/domain/instant.ts';
import type { LastAnswer, Rows } from '../api/ask.ts';
import { dayThatHolds, observedEnds, todayOf } from '../page/days.ts';
import { type Page, type PageRequest, parametersOf } from '../page/page.ts';
import { ExportHoldings } from '../parts/export.tsx';
import { type Field, Filters, Jumps } from '../parts/form.tsx';
import { Link } from '../parts/values.tsx';
import { endOf, type lastEnds } from '../view/days.ts';
import { vaultTypes } from './cells.tsx';
import { comparison } from './compare.tsx';
import { partsTable, splitTable, type Trends } from './tables.tsx';
import { type KnownValue, readTotalValue } from './total-value.tsx';

const names = ['vault_type', 'asset_id', 'network_id', 'at', 'cursor'] as const;
const { at: ofMoment, ...filters } = parametersOf('listBalances', ...names);

export const balancesPage: Page = {
  path: '/balances',
  section: 'balances',
  about: ['balances'],
  parameters: {
    ...filters,
    ...parametersOf('listBalanceSplit', 'currency'),
    at: ofMoment,
    compare: { ...ofMoment, description: 'The moment or day with which the balances are compared.' },
  },
  async show(request) {
    const { params, view, ask } = request;
    const { at, vault_type, compare } = params;
    const value = await readTotalValue(ask, at);
    const currency = params['currency'] ?? value.currencies[0] ?? null;
    const ends = await observedEnds(ask, await todayOf(ask, view.now));
    const trends = compare === undefined ? await readTrends(request) : [];
    const wanted = { ...request, value, currency, trends };
    const compared = compare === undefined ? null : await comparison({ ask, params, currency, compare });
    return {
      title: 'Balances',
      actions: (
        <>
          <Moments ends={ends} compare={compare} />
          {compared?.isKnown && (
            <ExportHoldings
              moments={[
                ['before', compare],
                ['after', at],
              ]}
              query={{ asset_id: params['asset_id'], network_id: params['network_id'], currency }}
            />
          )}
        </>
      ),
      content: (
        <>
          <div class="chips">
            <Filters label="Balances" fields={fieldsOf(value)} keep={['at', 'compare']} />
            <Link to="/balances/fees">Fees by asset</Link>
          </div>
          {compared !== null
            ? compared.content
            : vault_type === undefined
              ? await splitTable(wanted)
              : await partsTable(wanted, vault_type)}
        </>
      ),
    };
  },
};

const fields: readonly Field[] = [
  { name: 'asset_id', label: 'Asset' },
  { name: 'vault_type', label: 'Vaults', choices: vaultTypes, any: 'side by side' },
];

function fieldsOf({ currencies }: KnownValue): readonly Field[] {
  const [first, ...others] = currencies;
  if (first === undefined || others.length === 0) return fields;
  return [...fields, { name: 'currency', label: 'Value in', choices: currencies, any: first }];
}

interface MomentsProps {
  readonly ends: ReturnType<typeof lastEnds>;
  readonly compare: string | undefined;
}

function Moments({ ends, compare }: MomentsProps) {
  const kind = compare === undefined || isDay(compare) ? 'day' : 'moment';
  return (
    <Filters
      label="Moment"
      word="Moment, compare"
      fields={[
        { name: 'at', label: 'As of', kind: 'moment', hint: 'Empty: now' },
        { name: 'compare', label: 'Compare with', kind, hint: 'Empty: nothing' },
      ]}
      keep={['asset_id', 'network_id', 'vault_type', 'currency']}
    >
      <Jumps label="At the end of" jumps={ends.map(([word, day]) => [word, { at: day, compare: null }])} />
      <Jumps
        label="Compared with the end of"
        jumps={ends.map(([word, day]) => [word, { at: null, compare: day }])}
      />
    </Filters>
  );
}

type TrendsFound = LastAnswer<Rows<Trends[number]>>;

/** The 30 days until then, of as many assets as are computed. */
async function readTrends({ lastAnswer, ask, params, view }: PageRequest): Promise<Trends> {
  const { at, vault_type = 'all', asset_id, network_id } = params;
  const to = at === undefined ? null : isDay(at) ? at : await dayThatHolds(ask, endOf(at, view.closed));
  const query = { vault_type, asset_id, network_id, day_to: to, limit: 500 };
  const trends: Trends[number][] = [];
  let cursor: string | null = null;
  do {
    const found: TrendsFound = await lastAnswer('listBalanceTrends', { ...query, cursor });
    if (found === null || !('answer' in found)) return trends;
    trends.push(...found.answer.data);
    cursor = found.answer.next_cursor;
  } while (cursor !== null);
  return trends;
}
