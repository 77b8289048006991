// The changes of an asset's balances, each between two observations, and what explains one of them: what
// transactions moved in between, what is left, and the transactions.
import type { BalanceChange, ExplainedChange, Posting } from '../api/ask.ts';
import { Amount } from '../parts/amount.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { amountColumn, type Column, column, Table, textColumn, transactionColumn } from '../parts/table.tsx';
import { Between, Moment, shownTime, UntrustedText } from '../parts/values.tsx';
import { daysBefore, justAfter } from '../view/moments.ts';
import { negated } from '../view/numbers.ts';
import { sameWith, type View, ViewProvider } from '../view/view.ts';
import { type AssetParts, vaultWords } from './cells.tsx';

/** This page rounds nothing. */
const exact = { decimals: Infinity };

export async function AssetChanges({ view, ask, params, asset, span }: AssetParts) {
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
  const pinned = { ...view, query: { ...view.query, from: query.changed_from } };
  return {
    first: first ?? null,
    content: (
      <ViewProvider value={found.next_cursor === null && cursor === undefined ? view : pinned}>
        <Table
          caption={`Changes in ${vaultWords(query.vault_type)}`}
          noun="change"
          columns={columns(view)}
          rows={found}
          empty="No change was observed in this span."
          source={{ path: '/v1/balances/history', query }}
        />
      </ViewProvider>
    ),
  };
}

function columns(view: View): readonly Column<BalanceChange>[] {
  return [
    { title: 'Happened', cell: (row) => <Between after={row.changed_after} by={row.changed_before} /> },
    { title: 'Change', cell: (row) => (isOfParts(row) ? 'parts only' : row.change) },
    amountColumn('Before', (row) => row.total_before, { none: '–' }),
    amountColumn('Difference', (row) => row.total_change, { none: '–', signed: true, ...exact }),
    amountColumn('After', (row) => row.total_after, { none: '–' }),
    column('Why', (row) =>
      row.unchanged_until === null ? (
        <span class="soft">no earlier observation</span>
      ) : (
        <a href={`${sameWith(view, { change: row.changed_at })}#explanation`}>
          Explain
          <span class="hidden">: the change observed {shownTime(row.changed_at, view)}</span>
        </a>
      ),
    ),
  ];
}

/** The total stayed the same: only its available, processing, staked and claimable parts changed. */
function isOfParts({ change, total_before, total_after }: BalanceChange): boolean {
  return change === 'changed' && total_before !== null && total_before === total_after;
}

/** The change that the address names, or the first one of the table. */
export async function Explanation(parts: AssetParts, first: BalanceChange | null) {
  const { ask, params, asset } = parts;
  const named = params['change'];
  const change = named === undefined ? first : await changeAt(parts, named);
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
      {sum === undefined ? (
        <p>No transaction moved this asset between the two observations.</p>
      ) : (
        <Sum sum={sum} />
      )}
      <Table
        caption="Transactions that changed the balance between the two observations"
        noun="line"
        columns={postingColumns}
        rows={moved.data}
        empty="No transaction moved this asset between the two observations."
        source={{ path: '/v1/postings', query }}
        below={moved.next_cursor !== null && <p class="soft">The first 50 lines; the CSV has all of them.</p>}
      />
    </section>
  );
}

async function changeAt({ ask, params, asset }: AssetParts, at: string): Promise<BalanceChange | null> {
  const found = await ask('listBalanceHistory', {
    asset_id: asset,
    vault_type: params['vault_type'] ?? 'all',
    network_id: params['network_id'],
    changed_from: at,
    sort: 'changed_at',
    limit: 1,
  });
  const [change] = found.data;
  return change !== undefined && Date.parse(change.changed_at) === Date.parse(at) ? change : null;
}

function Sum({ sum }: { readonly sum: ExplainedChange }) {
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

function verdict({ difference, staked_rest }: ExplainedChange): string {
  if (difference === null)
    return 'Whether transactions explain the change is not known: one of the figures is missing.';
  if (difference === '0' && (staked_rest === '0' || staked_rest === null))
    return 'Transactions explain the change to the last digit.';
  if (difference === staked_rest && !difference.startsWith('-'))
    return 'The rest is growth in staked or claimable balances: rewards, for which the service lists no transaction.';
  return 'Part of it is not explained by what had been read by then. A transaction read later may explain it: the daily reconciliation takes that into account.';
}

function stepOf({ from_status: from, to_status: to }: Posting) {
  const text = <UntrustedText text={to} most={40} />;
  return from === null ? text : [<UntrustedText text={from} most={40} />, ' to ', text];
}

const postingColumns: readonly Column<Posting>[] = [
  transactionColumn(),
  textColumn('Type', (row) => row.transaction_type, { most: 40 }),
  { title: 'What happened', cell: (row) => (row.kind === 'correction' ? 'corrected' : stepOf(row)) },
  { title: 'When', cell: (row) => <Between after={row.observed_after} by={row.observed_at} /> },
  amountColumn('In', (row) => row.inflow, exact),
  amountColumn('Out', (row) => row.outflow, exact),
  amountColumn('Fee', (row) => row.fee, exact),
  amountColumn('Change of the total', (row) => row.total_change, { signed: true, ...exact }),
];
