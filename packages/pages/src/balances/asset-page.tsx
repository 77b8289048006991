// One asset: its history as a chart and as changes, where it is held, and what explains a change. The chart
// shows the vault types side by side, or the parts of one; a gap stays a gap.
import * as api from '../api/ask.ts';
import { capitalized, isDay, onOneLine, pathSegment } from '../api/words.ts';
import { type Content, parametersOf, type Rendered } from '../page/page.ts';
import { Chart, type Series } from '../parts/drawings.tsx';
import { type Field, Filters, Jumps } from '../parts/form.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { type Column, column, Export, Table } from '../parts/table.tsx';
import { Amount, Between, Link, Moment, Money, shownTime, UntrustedText } from '../parts/values.tsx';
import { daysBefore, endOf, justAfter } from '../view/moments.ts';
import { negated, sumOf } from '../view/numbers.ts';
import { sameWith, type View, ViewProvider, withQuery } from '../view/view.ts';
import * as cells from './cells.tsx';

const { changed_from, cursor } = parametersOf('listBalanceHistory', 'changed_from', 'cursor');

export const assetPage: Content = {
  parameters: {
    ...parametersOf('listBalanceSeries', 'asset_id', 'network_id', 'vault_type', 'from', 'to'),
    ...parametersOf('listBalances', 'at'),
    cursor,
    change: {
      ...changed_from,
      description: 'The change to explain, by the moment at which it was observed.',
    },
  },
  async show({ params, view, ask }) {
    const asset = params['asset_id'] ?? '';
    // The history goes up to where `at` looks from.
    const to = params['to'] ?? (params['at'] && endOf(params['at'], view.closed));
    const span = { from: params['from'], to };
    const { network_id, vault_type } = params;
    const wanted = { asset_id: asset, network_id, vault_type, ...span };
    const { unknown } = await ask.known('listBalanceSeries', { ...wanted, limit: 500 });
    if (unknown !== null) return await notObserved(ask, asset, unknown.why);
    const parts = { view, ask, params, asset, span };
    const held = await assetHeld(parts);
    const jumps = Object.entries(spans).map(
      ([word, days]) => [word, { from: daysBefore(to ?? view.now, days), change: null }] as const,
    );
    const changes = await AssetChanges(parts);
    return {
      title: held.name,
      actions: [
        <Link to={['/transactions', { asset_id: asset }]}>Transactions</Link>,
        <Link to={['/reconciliation', { asset_id: asset }]}>Reconciliation</Link>,
        <Filters label="Moment" word="Moment" fields={moment} keep={historyFields} />,
      ],
      content: [
        held.value,
        <div class="chips">
          <Filters label="History" keep={['at']} fields={fieldsOf(held.networks)} />
          <Jumps label="Show the last" jumps={jumps} />
        </div>,
        await AssetChart(parts),
        held.where,
        changes.content,
        await Explanation(parts, changes.first),
        await AssetPrices(parts),
      ],
      hasCharts: true,
    };
  },
};

async function notObserved(ask: api.Ask, asset: string, why: string): Promise<Rendered> {
  const isNamed = await api.isNamedByTransactions(ask, { asset_id: asset });
  const link = <Link to={['/transactions', { asset_id: asset }]}>All transactions of this asset</Link>;
  const content = [
    <UnknownNotice title="Not known" why={`No observed balance lists this asset. ${isNamed ? '' : why}`} />,
    isNamed && <p>{link}</p>,
  ];
  return { title: onOneLine(asset).slice(0, 100), content, status: isNamed ? 200 : 404 };
}

const moment = [{ name: 'at', label: 'Held as of', kind: 'moment', hint: 'Empty: now' }] as const;
const historyFields = ['from', 'to', 'vault_type', 'network_id'];

const fieldsOf = (networks: readonly (readonly [string, string])[]): readonly Field[] => [
  { name: 'from', label: 'From', kind: 'moment', hint: 'Empty: 30 days' },
  { name: 'to', label: 'To', kind: 'moment', hint: 'Empty: until now' },
  { name: 'vault_type', label: 'Vaults', choices: cells.vaultTypes, any: 'side by side' },
  ...(networks.length < 2 ? [] : [{ name: 'network_id', label: 'Network', any: 'all', choices: networks }]),
];

const spans = { 'a day': 1, '7 days': 7, '30 days': 30, '90 days': 90, 'a year': 366, '3 years': 1096 };

async function AssetChart({ view, ask, params, asset, span }: cells.AssetParts) {
  const { vault_type, network_id } = params;
  const query = { network_id, vault_type, ...span };
  const rows = await ask.all('listBalanceSeries', { asset_id: asset, ...query });
  const path = `/v1/balances/assets/${pathSegment(asset)}/series`;
  const { moments, series } = chartOf(view, rows, vault_type !== undefined);
  if (moments.length === 0) return <p class="soft">Nothing was observed in this span.</p>;
  return (
    <Chart
      id="history"
      title={vault_type === undefined ? 'Total held' : `Held in ${cells.vaultWords(vault_type)}`}
      moments={moments}
      series={series}
      unit={onOneLine(asset).slice(0, 40)}
      links={<Export source={{ path, query }} name="This chart" />}
    >
      {stepWords(rows)}
    </Chart>
  );
}

/** The points of all series by their step: each step has one moment. */
function chartOf(view: View, rows: readonly api.BalancePoint[], inParts: boolean) {
  const steps = new Map<string, api.BalancePoint[]>();
  const lines = new Map<string, { readonly title: string; readonly figure: cells.BalancePart[0] }>();
  const networks = new Set(rows.map(({ network_id }) => network_id));
  for (const row of rows) {
    steps.set(row.starts_at, [...(steps.get(row.starts_at) ?? []), row]);
    const network =
      networks.size < 2 ? '' : ` on ${onOneLine(row.network_name ?? row.network_id).slice(0, 40)}`;
    for (const [figure, words] of inParts ? cells.balanceParts : cells.balanceParts.slice(0, 1)) {
      if (lines.has(lineOf(row, figure)) && row.network_name === null) continue;
      const title = capitalized(inParts ? words : cells.vaultWords(row.vault_type));
      lines.set(lineOf(row, figure), { title: `${title}${network}`, figure });
    }
  }
  const moments: string[] = [];
  for (const points of steps.values()) moments.push(momentOfStep(points, moments.at(-1) ?? ''));
  const order = ([line]: readonly [string, unknown]) =>
    cells.vaultTypes.findIndex(([type]) => type === JSON.parse(line)[0]);
  const sorted = [...lines].toSorted((a, b) => order(a) - order(b));
  const series = sorted.map(([line, { title, figure }]): Series => {
    const points = [...steps.values()].map((each) => each.find((row) => lineOf(row, figure) === line));
    return {
      title,
      values: points.map((point) => point?.[figure] ?? null),
      says: points.map((point) => (point === undefined ? '–' : stateWords(view, point))),
    };
  });
  const isThere = ({ values }: Series) => values.some((value) => value !== null && value !== '0');
  return { moments, series: series.filter((each, index) => index === 0 || isThere(each)) };
}

function lineOf({ vault_type, network_id }: api.BalancePoint, figure: cells.BalancePart[0]): string {
  return JSON.stringify([vault_type, network_id, figure]);
}

/** When the step was observed; a gap begins with the last observation before it. */
function momentOfStep(points: readonly api.BalancePoint[], before: string): string {
  const last = points
    .flatMap(({ observed_at }) => observed_at ?? [])
    .toSorted()
    .at(-1);
  if (last !== undefined) return last;
  const [{ starts_at, gap_from } = { starts_at: before, gap_from: null }] = points;
  return gap_from !== null && gap_from >= before && before !== '' ? gap_from : starts_at;
}

function stateWords(view: View, { state, gap_to }: api.BalancePoint): string {
  if (state === 'not listed') return 'not listed';
  if (state === 'observed') return 'not sent';
  if (state !== 'not observed') return 'unknown';
  return gap_to === null ? 'not observed since' : `not observed until ${shownTime(gap_to, view)}`;
}

const units = [
  [604_800, 'week'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** Says which observations the chart shows. */
function stepWords(rows: readonly api.BalancePoint[]): string {
  const seconds = Math.max(
    60,
    ...rows.slice(0, 50).map((row) => (Date.parse(row.ends_at) - Date.parse(row.starts_at)) / 1000),
  );
  const [unit, word] = units.find(([length]) => seconds >= length * 0.95) ?? [60, 'minute'];
  const count = Math.round(seconds / unit);
  return `The last observation of each ${count === 1 ? word : `${count} ${word}s`}; every change is in the table below. A triangle marks where the first line rose or fell, a gap a time without observations.`;
}

// Where an asset is held, each part and since when, its value, and the prices that people stated.

type Row = api.Balance | api.BalanceAt;

async function assetHeld(parts: cells.AssetParts) {
  const { ask, params, asset } = parts;
  const query = { asset_id: asset, at: params['at'] };
  const { data: rows, unknown } = await ask.known('listBalances', query);
  const networks = new Map(
    rows.map(({ network_id, network_name }) => [network_id, network_name ?? network_id]),
  );
  const named = rows.find(({ asset_name: name }) => name !== null && name !== '')?.asset_name ?? asset;
  const names = {
    name: onOneLine(named === asset ? asset : `${named} (${asset})`).slice(0, 150),
    networks: [...networks].map(([id, name]) => [id, onOneLine(name).slice(0, 60)] as const),
  };
  if (unknown !== null)
    return { ...names, value: <UnknownNotice title="Not known" why={unknown.why} />, where: null };
  const values = (await ask('listBalanceValues', { ...query, vault_type: 'all' })).data;
  return {
    ...names,
    value: valueParagraphs(asset, values),
    where: (
      <Table
        caption="Where it is held"
        isCounted
        columns={heldColumns(networks.size > 1, await sinceOf(parts))}
        rows={linesOf(rows)}
        empty="The service listed no balance of this asset at that time."
        source={{ path: '/v1/balances', query }}
      />
    ),
  };
}

type Line = ReturnType<typeof linesOf>[number];

/** Figures with all digits are wide: each vault type has a column, and each part of a balance a row. */
function linesOf(rows: readonly Row[]) {
  const networks = [...new Set(rows.map(({ network_id }) => network_id))];
  return networks.flatMap((id) => {
    const own = rows.filter(({ network_id }) => network_id === id);
    const of = new Map(own.map((row) => [row.vault_type, row]));
    const network = own[0]?.network_name ?? id;
    return cells.balanceParts.map((part) => ({ network, of, part }));
  });
}

const mostChanges = 500;

/** Since when each part of a balance is as it is, or that it is so for longer than the changes read. */
async function sinceOf({ ask, asset: asset_id, params: { at }, view: { closed } }: cells.AssetParts) {
  // What was observed at the moment itself counts.
  const changed_to = at === undefined || isDay(at) ? at && endOf(at, closed) : justAfter(at);
  const { data, next_cursor } = await ask('listBalanceHistory', { asset_id, changed_to, limit: mostChanges });
  return (row: Row | undefined, [, , word]: cells.BalancePart) => {
    if (row === undefined) return null;
    if (!row.is_known) return cells.sinceColumn.cell(row);
    const last = data.find(
      (change) =>
        change.vault_type === row.vault_type &&
        change.network_id === row.network_id &&
        change[`${word}_before`] !== change[`${word}_after`],
    );
    const isBefore = last === undefined && next_cursor !== null;
    const at = last?.changed_at ?? (isBefore ? data.at(-1)?.changed_at : null);
    return (
      <span class="soft">
        {isBefore ? 'before ' : null}
        <Moment at={at} as="short" />
      </span>
    );
  };
}

function heldColumns(
  showNetwork: boolean,
  since: Awaited<ReturnType<typeof sinceOf>>,
): readonly Column<Line>[] {
  return [
    { title: 'Part', isPlain: true, cell: ({ part: [, title] }) => title },
    ...(showNetwork ? [column.text('Network', ({ network }: Line) => network, { most: 40 })] : []),
    ...cells.vaultTypes.flatMap(([type, words]) => [
      cells.heldColumn<Line>(
        capitalized(words),
        ({ part: [part], of }) => [of.get(type)?.[part] ?? null, of.get(type)?.is_known ?? null],
        Infinity,
      ),
      ...column.from(
        1280,
        column.of('Since', ({ part, of }: Line) => since(of.get(type), part)),
      ),
    ]),
  ];
}

/** The networks of the asset together: it has one price on all. Unknown where one of the balances is. */
function valueParagraphs(asset: string, values: readonly (api.BalanceValue | api.BalanceValueAt)[]) {
  if (values.length === 0) return <p class="soft">Not valued: no price is known.</p>;
  const paragraphs = [...new Set(values.map((row) => row.currency))].map((currency) => {
    const rows = values.filter((row) => row.currency === currency);
    const [{ price, price_as_of } = { price: null, price_as_of: null }] = rows;
    return (
      <p>
        <span class="figure">
          <Money value={sumOf(rows.map(({ total_value }) => total_value))} currency={currency} />
        </span>{' '}
        <Amount value={sumOf(rows.map(({ total_balance }) => total_balance))} {...exact} />{' '}
        <UntrustedText text={asset} most={24} /> in all vaults, at <Amount value={price} unit={currency} /> of{' '}
        <Moment at={price_as_of} as="both" />
      </p>
    );
  });
  return <section id="value">{paragraphs}</section>;
}

async function AssetPrices({ ask, asset, span }: cells.AssetParts) {
  const query = { asset_id: asset, as_of_to: span.to, sort: '-asset_id' as const };
  const found = await ask('listPrices', { ...query, limit: 10 });
  if (found.data.length === 0) return null;
  return (
    <details id="prices">
      <summary>Prices</summary>
      <Table
        caption="The last prices of this asset"
        noun="price"
        columns={priceColumns}
        rows={found.data}
        source={{ path: '/v1/prices', query }}
      />
    </details>
  );
}

const priceColumns: readonly Column<api.Price>[] = [
  { title: 'As of', cell: (row) => <Moment at={row.as_of} /> },
  column.amount('Price', (row) => row.price),
  column.text('Currency', (row) => row.currency, { most: 20 }),
  column.text('Source', (row) => row.source),
];

// The changes of an asset's balances, each between two observations, and what explains one of them: what
// transactions moved in between, what is left, and the transactions.

/** This page rounds nothing. */
const exact = { decimals: Infinity };

export async function AssetChanges({ view, ask, params, asset, span }: cells.AssetParts) {
  const { vault_type, network_id, cursor } = params;
  const query = {
    asset_id: asset,
    network_id,
    vault_type: vault_type ?? 'all',
    changed_from: span.from ?? daysBefore(span.to ?? view.now, 30),
    changed_to: span.to,
  };
  const found = await ask('listBalanceHistory', { ...query, limit: 20, cursor });
  const [first] = found.data;
  // The next page covers the same span, even when its address is opened on another day.
  const pinned = withQuery(view, { from: query.changed_from });
  return {
    first: first ?? null,
    content: (
      <ViewProvider value={found.next_cursor === null && cursor === undefined ? view : pinned}>
        <Table
          caption={`Changes in ${cells.vaultWords(query.vault_type)}`}
          noun="change"
          columns={changeColumns(view)}
          rows={found}
          empty="No change was observed in this span."
          source={{ path: '/v1/balances/history', query }}
        />
      </ViewProvider>
    ),
  };
}

function changeColumns(view: View): readonly Column<api.BalanceChange>[] {
  return [
    { title: 'Happened', cell: (row) => <Between after={row.changed_after} by={row.changed_before} /> },
    column.of('Change', ({ change, total_before: before, total_after: after }) =>
      change === 'changed' && before !== null && before === after ? 'parts only' : change,
    ),
    column.amount('Before', (row) => row.total_before, { none: '–' }),
    column.amount('Difference', (row) => row.total_change, { none: '–', signed: true, ...exact }),
    column.amount('After', (row) => row.total_after, { none: '–' }),
    column.of('Why', ({ unchanged_until, changed_at }) => {
      if (unchanged_until === null) return <span class="soft">no earlier observation</span>;
      const said = `: the change observed ${shownTime(changed_at, view)}`;
      return [
        <a href={`${sameWith(view, { change: changed_at })}#explanation`}>
          Explain<span class="hidden">{said}</span>
        </a>,
      ];
    }),
  ];
}

/** The change that the address names, or the first one of the table. */
async function Explanation({ ask, params, asset }: cells.AssetParts, first: api.BalanceChange | null) {
  const { change: named, vault_type = 'all', network_id } = params;
  const of = { asset_id: asset, vault_type, network_id, sort: 'changed_at', limit: 1 } as const;
  const found = named && (await ask('listBalanceHistory', { ...of, changed_from: named })).data[0];
  const isFound = found && Date.parse(found.changed_at) === Date.parse(named ?? '');
  const change = named === undefined ? first : isFound ? found : null;
  const why = 'No balance of this asset changed at the observation that the address names.';
  if (change === null) return named === undefined ? null : <UnknownNotice title="No such change" why={why} />;
  if (change.unchanged_until === null) return null;
  const between = { from: change.unchanged_until, to: change.changed_at, asset_id: asset };
  const [sum] = (await ask('listReconciledSpan', between)).data;
  // Transactions count from after the first answer up to and including the second.
  const query = {
    asset_id: asset,
    observed_from: justAfter(sum?.opening_answered_at ?? change.changed_after ?? change.unchanged_until),
    observed_to: justAfter(sum?.closing_answered_at ?? change.changed_before),
    sort: 'day' as const,
  };
  const moved = await ask('listPostings', { ...query, limit: 50 });
  const none = 'No transaction moved this asset between the two observations.';
  return (
    <section id="explanation">
      <h2>
        Explanation of the change observed <Moment at={change.changed_at} />
      </h2>
      {change.vault_type !== 'all' && (
        <p class="soft">
          Transactions are booked for all vaults together: moves between warm and cold vaults change no total.
        </p>
      )}
      {sum === undefined ? <p>{none}</p> : <Sum sum={sum} />}
      <Table
        caption="Transactions that changed the balance between the two observations"
        noun="line"
        columns={postingColumns}
        rows={moved.data}
        empty={none}
        source={{ path: '/v1/postings', query }}
        below={moved.next_cursor !== null && <p class="soft">The first 50 lines; the CSV has all of them.</p>}
      />
    </section>
  );
}

function Sum({ sum }: { readonly sum: api.ExplainedChange }) {
  const lines = [
    ['Before, in all vaults', sum.opening_balance, false],
    ['Came in', sum.inflow, true],
    ['Went out', negated(sum.outflow), true],
    ['Fees', negated(sum.fees), true],
    ['Unexplained', sum.difference, true],
    ['After', sum.closing_balance, false],
  ] as const;
  return (
    <>
      <dl class="sum">
        {lines.map(([words, value, signed]) => [
          <dt>{words}</dt>,
          <dd class="number">
            <Amount value={value} signed={signed} {...exact} />
          </dd>,
        ])}
      </dl>
      <p>{verdict(sum)}</p>
    </>
  );
}

function verdict({ difference, staked_rest }: api.ExplainedChange): string {
  if (difference === null)
    return 'Whether transactions explain the change is not known: one of the figures is missing.';
  if (difference === '0' && (staked_rest === '0' || staked_rest === null))
    return 'Transactions explain the change to the last digit.';
  if (difference === staked_rest && !difference.startsWith('-'))
    return 'The rest is growth in staked or claimable balances: rewards, for which the service lists no transaction.';
  return 'Part of it is not explained by what had been read by then. A transaction read later may explain it: the daily reconciliation takes that into account.';
}

const postingColumns: readonly Column<api.Posting>[] = [
  column.transaction(),
  column.text('Type', (row) => row.transaction_type, { most: 40 }),
  column.of('What happened', ({ kind, from_status: from, to_status }) => {
    const to = <UntrustedText text={to_status} most={40} />;
    if (kind === 'correction') return 'corrected';
    return from === null ? to : [<UntrustedText text={from} most={40} />, ' to ', to];
  }),
  { title: 'When', cell: (row) => <Between after={row.observed_after} by={row.observed_at} /> },
  ...column.amounts<api.Posting>({ In: 'inflow', Out: 'outflow', Fee: 'fee' }, exact),
  column.amount('Change of the total', (row) => row.total_change, { signed: true, ...exact }),
];
