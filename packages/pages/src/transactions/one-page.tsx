// One transaction with everything that is known of it: its current status and why, its facts, its statuses
// with their bounds, what changed, and the record as it was received.

import { parse, stringify } from 'lossless-json';
import type { Ask, GetUsualTimesAnswer, TransactionWithHistory } from '../api/ask.ts';
import { capitalized, counted, lengthInWords, onOneLine, pathSegment } from '../api/words.ts';
import { type Content, parametersOf } from '../page/page.ts';
import {
  Badge,
  type Fact,
  Facts,
  isStuck,
  ListedBadge,
  Notice,
  statusJudgement,
  typeInWords,
} from '../parts/notice.tsx';
import { type Column, column, Export, Table } from '../parts/table.tsx';
import {
  Amount,
  Between,
  Link,
  Moment,
  Money,
  OutLink,
  Sealed,
  TextLink,
  UntrustedBlock,
  UntrustedText,
} from '../parts/values.tsx';
import { isObservedBy } from '../view/moments.ts';
import { apiAddress, assetPath, useView, type View } from '../view/view.ts';
import * as rows from './rows.tsx';

export const transactionPage: Content = {
  parameters: parametersOf('getTransaction', 'transaction_id'),
  async show({ params, view, ask }) {
    const id = params['transaction_id'] ?? '';
    const asked = { transaction_id: id };
    const { data } = await ask.known('getTransaction', asked);
    if (data === null)
      return { title: 'Transaction not found', status: 404, content: <NotMirrored id={id} /> };
    const usual = (await ask('getUsualTimes', asked)).data;
    const json = `/v1/transactions/${pathSegment(id)}`;
    return {
      title: rows.titleOf(data),
      content: [
        currentStatus(data, usual, view),
        <div class="first record">
          {timeline(data, usual, view)}
          <div class="facts">
            {await what(ask, data)}
            {await fromAndTo(ask, data)}
            {await when(ask, data)}
          </div>
        </div>,
        <Table
          id="changes"
          caption="Other changes"
          noun="change"
          columns={columns}
          rows={changesOf(data)}
          empty="Only its status has changed."
          source={{ path: `${json}/revisions` }}
        />,
        <RawRecord text={await ask.text('getTransaction', asked)} />,
        <p class="beside">
          <Link to="/transactions">All transactions</Link>
          <a href={apiAddress(view, json)}>JSON of this transaction</a>
        </p>,
      ],
    };
  },
};

function NotMirrored({ id }: { readonly id: string }) {
  const view = useView();
  return (
    <Notice tone="note" title="No transaction with this identifier">
      <p>
        Looked for <UntrustedText text={id} code most={500} /> among the transactions of{' '}
        <UntrustedText text={view.account} />. The service never listed it, or it has not been read yet. The
        bar above shows how fresh the transactions are.
      </p>
      <p>
        <Link to={['/transactions', { search: id.slice(0, 500) }]}>Search for it</Link> in hashes, addresses
        and notes too, or <Link to="/transactions">see all transactions</Link>.
      </p>
    </Notice>
  );
}

// The facts of a transaction: what it is, from where to where, whether it was whitelisted, and what the
// blockchain knows.

const longText = 2_000;
const exact = { decimals: Infinity };

function copied(name: string, text: string | null) {
  const shown = <UntrustedText text={text} code most={500} visible />;
  return [name, <span {...(isShort(text) ? { 'data-copy': name } : {})}>{shown}</span>] as const;
}

async function what(ask: Ask, row: TransactionWithHistory) {
  const { transaction_id, transaction_type: type, asset_id, network_id, fee, fee_asset_id } = row;
  const values = await rows.valuesOf(ask, [row], asset_id ?? undefined);
  const value = values?.of.get(transaction_id);
  // The asset of the transaction always has a page; another asset only if it is held.
  const isFeeAssetKnown =
    [null, asset_id].includes(fee_asset_id) ||
    (await ask.known('listBalances', { asset_id: fee_asset_id, limit: 1 })).data.length > 0;
  const asset = (id: string | null, hasPage = true) => (
    <TextLink to={id && hasPage ? assetPath(id) : null} text={id} most={60} />
  );
  const assumed = row.fee_asset_is_assumed && <span class="soft"> (fee asset assumed)</span>;
  const amount = <Amount value={row.amount} {...exact} />;
  const network = <UntrustedText text={row.network_name ?? network_id} />;
  const typeAsSent = <UntrustedText text={type} code most={60} none="" />;
  const feeSent = <Amount value={fee} {...exact} none="none sent" />;
  return (
    <section>
      <h2>What</h2>
      <Facts
        of={[
          copied('Identifier', transaction_id),
          ['Type', `${typeInWords(type)}, ${rows.directionInWords(row.direction)} `, typeAsSent],
          ['Amount', <span data-copy="Amount">{amount}</span>, ' ', asset(asset_id)],
          values && value
            ? ['Value', <Money value={value} currency={values.currency} />, ' ', settledThen]
            : null,
          ['Asset', <UntrustedText text={row.asset_name} />],
          ['Network', network, ' ', <UntrustedText text={network_id} code none="" />],
          ['Fee', feeSent, ' ', fee && [asset(fee_asset_id, isFeeAssetKnown), assumed]],
          copied('Hash', row.txn_hash),
          ['Explorer', <OutLink address={row.blockexplorer_link} />],
          ['Note', <UntrustedText text={row.note} most={longText} />],
        ]}
      />
    </section>
  );
}

const settledThen = <span class="soft">when it settled</span>;

/** Of a withdrawal also whether its destination was whitelisted. */
async function fromAndTo(ask: Ask, row: TransactionWithHistory) {
  const { transaction_id, transaction_type: type } = row;
  const asked = { transaction_id, limit: 1 };
  const [use] = type === 'withdraw' ? (await ask.known('listDestinationUses', asked)).data : [];
  // The reason is shown where the word does not imply it.
  const reason = use?.whitelist_reason.replace(/^unknown: /, '');
  const why = <span class="soft">{reason?.replace(/^(not )?listed$/, 'when it was made')}</span>;
  return (
    <section>
      <h2>From and to</h2>
      <p>
        <rows.Parties row={row} most={80} />
      </p>
      <Facts
        of={[
          ...sideFacts(row, 'source'),
          ...sideFacts(row, 'destination'),
          ['Memo', <UntrustedText text={row.destination_memo} most={longText} />],
          use ? ['Whitelist', <ListedBadge isWhitelisted={use.is_whitelisted} />, ' ', why] : null,
        ]}
      />
    </section>
  );
}

function sideFacts(row: TransactionWithHistory, name: rows.SideName): readonly (Fact | false)[] {
  const { type, id, address } = rows.sideOf(row, name);
  const [parameter, words] =
    type === 'vault' ? ['vault', 'of this vault'] : [`${name}_id`, `with this ${name}`];
  const [byAddress, byId] = [{ [`${name}_address`]: address }, { [parameter]: id }];
  const links = [
    isShort(address) && <Link to={['/transactions', byAddress]}>with this address</Link>,
    isShort(address) && isShort(id) && ' · ',
    isShort(id) && <Link to={['/transactions', byId]}>{words}</Link>,
  ];
  const typeAsSent = <UntrustedText text={type} most={60} />;
  return [
    [name === 'source' ? 'From' : 'To', typeAsSent, ' ', <UntrustedText text={id} code none="" visible />],
    copied('Address', address),
    (isShort(address) || isShort(id)) && ['More', ...links],
  ];
}

/** Whether an address of a page can hold it. */
function isShort(text: string | null): boolean {
  return !!text && rows.isAddressable(text);
}

/** Leads to the balances before it and since its status, if they had been observed by then. */
async function when(ask: Ask, row: TransactionWithHistory) {
  const { first_seen_after, first_seen_at, is_older_than_mirror, changed_at, status_since, sealed } = row;
  const asset_id = isShort(row.asset_id) ? row.asset_id : null;
  const balancesAt = async (at: string) =>
    (await isObservedBy(ask, at)) ? (['/balances', { at, asset_id }] as const) : null;
  const began = <Moment at={first_seen_at} />;
  const firstSeen = is_older_than_mirror
    ? ['before the initial sync (', began, ')']
    : [<Between after={first_seen_after} by={first_seen_at} />];
  const state = `when it was first seen ${row.is_open ? 'in this status' : 'settled'}`;
  return (
    <section>
      <h2>When</h2>
      <Facts
        of={[
          ['First seen', ...firstSeen],
          ['Last changed', <Moment at={changed_at} as="both" />],
          sealed && ['History', <Sealed {...sealed} />],
          [
            'Balances',
            <Link to={await balancesAt(first_seen_after ?? first_seen_at)}>before it</Link>,
            ' · ',
            <Link to={await balancesAt(status_since)}>{state}</Link>,
          ],
        ]}
      />
    </section>
  );
}

// What became of a transaction: its status in a sentence, all its statuses, its other changes and its record.
// Each change happened between two readings, so durations are the shortest and the longest possible.

function currentStatus(row: TransactionWithHistory, usual: Usual, view: View) {
  const { status, missing_since, is_open } = row;
  const { word, tone } = statusJudgement(status);
  if (missing_since !== null)
    return (
      <Notice tone="bad" title={`${capitalized(word)}, no longer listed by the service`}>
        <p>
          Missing from the service since <Moment at={missing_since} />: two complete reads of the list did not
          include it, and a lookup by its identifier did not find it.
          {is_open === null ? ' It was still open then; its later status is unknown.' : ''}
        </p>
      </Notice>
    );
  if (is_open === true) return open(row, usual, view);
  return <Notice tone={tone} title={capitalized(word)} children={settled(row)} />;
}

function settled(row: TransactionWithHistory) {
  const { settled_at, first_seen_after, first_seen_at, is_older_than_mirror, timeline } = row;
  if (settled_at === null)
    return <p>It was already settled at the initial sync. When it settled is not known.</p>;
  const [last] = timeline.slice(-1);
  // The mirror knows bounds: it was seen open until the reading before the one that showed it settled.
  const longest = is_older_than_mirror ? null : rows.between(first_seen_after, settled_at);
  const least = timeline.length > 1 ? rows.between(first_seen_at, last?.entered_after ?? null) : null;
  const atLeast = least === null ? '' : `at least ${least} and `;
  return (
    <p>
      First seen in this status at <Moment at={settled_at} as="both" />.{' '}
      {longest === null ? '' : `From creation it took ${atLeast}at most ${longest}.`}
    </p>
  );
}

function open(row: TransactionWithHistory, usual: Usual, view: View) {
  const { status, first_seen_at, is_older_than_mirror, status_since } = row;
  const openMs = Date.parse(view.now) - Date.parse(first_seen_at);
  const isLate = usual.p95_seconds !== null && openMs > usual.p95_seconds * 1000;
  const isLong = isStuck(row, view);
  const judged = `${isLong ? ', stuck' : ''}${isLate ? ', longer than usual' : ''}`;
  const { word } = statusJudgement(status);
  return (
    <Notice
      tone={isLong || isLate ? 'bad' : 'note'}
      title={`Open for ${is_older_than_mirror ? 'at least ' : ''}${lengthInWords(openMs)}: ${word}${judged}`}
    >
      <p>
        {rows.waitInWords(status)} It has been {word} since <Moment at={status_since} as="both" />; the
        service gives no reason.
        {isLong ? ' Transactions open for more than a day count as stuck, even if others took as long.' : ''}
      </p>
    </Notice>
  );
}

type Usual = GetUsualTimesAnswer['data'];
type Entry = TransactionWithHistory['timeline'][number];

function timeline(row: TransactionWithHistory, usual: Usual, { now }: View) {
  const path = `/v1/transactions/${pathSegment(row.transaction_id)}/timeline`;
  return (
    <section id="timeline">
      <h2>Timeline</h2>
      <ol class="timeline">
        {row.timeline.map((entry) => (
          <li>
            <Badge {...statusJudgement(entry.status)} /> {lasted(entry, row, now)}
            <p class="soft">{began(entry)}</p>
          </li>
        ))}
      </ol>
      <p>{usualInWords(usual, row)}</p>
      <p class="small">The service announces no changes: each happened between two reads.</p>
      <p class="beside">
        <Export source={{ path }} name="Timeline" />
      </p>
    </section>
  );
}

function began({ entered_bound, entered_after, entered_at }: Entry) {
  if (entered_bound === 'before the mirror began')
    return ['Began before the initial sync, which read it at ', <Moment at={entered_at} />];
  const word = entered_bound === 'first sighting' ? 'First seen ' : 'Began ';
  return [word, <Between after={entered_after} by={entered_at} />];
}

function lasted(entry: Entry, { is_open }: TransactionWithHistory, now: string): string {
  const { entered_after, entered_at, left_after, left_at, is_current } = entry;
  if (is_current) return is_open === true ? `for at least ${rows.between(entered_at, now)}` : '';
  const least = rows.between(entered_at, left_after) ?? '0 s';
  const most = rows.between(entered_after, left_at);
  return `took ${least === most || most === null ? `at least ${least}` : `${least} to ${most}`}`;
}

function usualInWords(
  { completed, median_seconds, p95_seconds }: Usual,
  { transaction_type, asset_id }: TransactionWithHistory,
): string {
  const which = `${typeInWords(transaction_type).toLowerCase()} of ${onOneLine(asset_id ?? 'this asset').slice(0, 40)}`;
  if (completed < 5 || median_seconds === null || p95_seconds === null)
    return `The usual duration is not known: ${completed === 0 ? 'none' : 'only a few'} of this kind (${which}) have been observed from start to completion.`;
  return `95 % of the last ${counted(completed, 'completed transaction')} of this kind (${which}) completed within ${atLeast(p95_seconds)}, half of them within ${atLeast(median_seconds)}.`;
}

/** Zero stands for less than the time between two readings: it was done when it was first seen. */
function atLeast(seconds: number): string {
  return seconds === 0 ? 'one read' : lengthInWords(Math.ceil(seconds) * 1000);
}

type Change = ReturnType<typeof changesOf>[number];

function changesOf({ revisions }: TransactionWithHistory) {
  return revisions.flatMap(({ observed_at: at, changed_fields, before, after }) =>
    changed_fields.map((field) => ({ at, field, before: before[field], after: after[field] })),
  );
}

const columns: readonly Column<Change>[] = [
  { title: 'Seen at', cell: ({ at }) => <Moment at={at} as="short" /> },
  column.text('Field', ({ field }) => fields.get(field) ?? fieldInWords(field)),
  { title: 'Before', cell: ({ before }) => <Value value={before} /> },
  { title: 'After', cell: ({ after }) => <Value value={after} /> },
];

const fieldInWords = (field: string) => field.replace(/^raw\./, 'field of the record: ').replaceAll('_', ' ');

const fields = new Map([
  ['txn_hash', 'hash'],
  ['blockexplorer_link', 'link to the explorer'],
  ['missing_since', 'no longer listed since'],
]);

/** An absent value is distinguished from an empty one. */
function Value({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return <span class="soft">none</span>;
  if (value === '') return <span class="soft">empty</span>;
  return <UntrustedText text={typeof value === 'string' ? value : JSON.stringify(value)} most={500} />;
}

function RawRecord({ text }: { readonly text: string }) {
  const { data } = parse(text) as { readonly data: { readonly raw: unknown } };
  return (
    <section>
      <h2>Record as received</h2>
      <p class="soft">All fields, as of the last change, in the order in which the database keeps them.</p>
      <details>
        <summary>Show the record</summary>
        <UntrustedBlock text={stringify(data.raw, null, 2) ?? ''} />
      </details>
    </section>
  );
}
