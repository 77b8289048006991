// The facts of a transaction: what it is, from where to where, whether it was whitelisted, and what the
// blockchain knows.
import type { DestinationUse, TransactionWithHistory } from '../api/ask.ts';
import { Amount, Money } from '../parts/amount.tsx';
import { Fact, ListedBadge, TextFact, typeInWords } from '../parts/notice.tsx';
import { Between, Link, Moment, OutLink, Sealed, TextLink, UntrustedText } from '../parts/values.tsx';
import { assetPath } from '../view/view.ts';
import { directionInWords, isAddressable, Parties, type SideName, sideOf, type Values } from './rows.tsx';

interface FactsProps {
  readonly transaction: TransactionWithHistory;
  /** Whether a withdrawal's destination was whitelisted; null for others. */
  readonly use: DestinationUse | null;
  readonly values: Values | null;
  /** The account holds some of the fee's asset. */
  readonly isFeeAssetKnown: boolean;
  /** Balances were observed by then: before it was seen, and when it was first seen in its status. */
  readonly isObservedBy: { readonly before: boolean; readonly since: boolean };
}

const longText = 2_000;

export function Facts({ transaction, use, values, isFeeAssetKnown, isObservedBy }: FactsProps) {
  return (
    <div class="facts">
      <What transaction={transaction} values={values} isFeeAssetKnown={isFeeAssetKnown} />
      <section>
        <h2>From and to</h2>
        <p>
          <Parties row={transaction} most={80} />
        </p>
        <dl>
          {sideFacts(transaction, 'source')}
          {sideFacts(transaction, 'destination')}
          <TextFact name="Memo" text={transaction.destination_memo} most={longText} />
          {use && <WhitelistFact use={use} />}
        </dl>
      </section>
      <Effects transaction={transaction} isObservedBy={isObservedBy} />
    </div>
  );
}

function CopyFact({ name, text }: { readonly name: string; readonly text: string | null }) {
  return (
    <Fact name={name}>
      <span {...(isShort(text) ? { 'data-copy': name } : {})}>
        <UntrustedText text={text} code most={500} visible />
      </span>
    </Fact>
  );
}

function What({ transaction: row, values, isFeeAssetKnown }: Omit<FactsProps, 'use' | 'isObservedBy'>) {
  const { asset_id, network_id, fee, fee_asset_id } = row;
  const value = values?.of.get(row.transaction_id);
  return (
    <section>
      <h2>What</h2>
      <dl>
        <CopyFact name="Identifier" text={row.transaction_id} />
        <Fact name="Type">
          {typeInWords(row.transaction_type)}, {directionInWords(row.direction)}{' '}
          <UntrustedText text={row.transaction_type} code most={60} none="" />
        </Fact>
        <Fact name="Amount">
          <span data-copy="Amount">
            <Amount value={row.amount} decimals={Infinity} />
          </span>{' '}
          <TextLink to={pathOf(asset_id)} text={asset_id} most={60} />
        </Fact>
        {values && value && (
          <Fact name="Value">
            <Money value={value} currency={values.currency} /> <span class="soft">when it settled</span>
          </Fact>
        )}
        <TextFact name="Asset" text={row.asset_name} />
        <Fact name="Network">
          <UntrustedText text={row.network_name ?? network_id} />{' '}
          <UntrustedText text={network_id} code none="" />
        </Fact>
        <Fact name="Fee">
          <Amount value={fee} decimals={Infinity} none="none sent" />{' '}
          {fee && (
            <TextLink to={isFeeAssetKnown ? pathOf(fee_asset_id) : null} text={fee_asset_id} most={60} />
          )}
          {fee && row.fee_asset_is_assumed && <span class="soft"> (fee asset assumed)</span>}
        </Fact>
        <CopyFact name="Hash" text={row.txn_hash} />
        <Fact name="Explorer">
          <OutLink address={row.blockexplorer_link} text="View on" />
        </Fact>
        <TextFact name="Note" text={row.note} most={longText} />
      </dl>
    </section>
  );
}

function pathOf(asset: string | null): string | null {
  return asset ? assetPath(asset) : null;
}

function sideFacts(transaction: TransactionWithHistory, name: SideName) {
  const { type, id, address } = sideOf(transaction, name);
  const [parameter, words] =
    type === 'vault' ? ['vault', 'of this vault'] : [`${name}_id`, `with this ${name}`];
  return [
    <Fact name={name === 'source' ? 'From' : 'To'}>
      <UntrustedText text={type} most={60} /> <UntrustedText text={id} code none="" visible />
    </Fact>,
    <CopyFact name="Address" text={address} />,
    (isShort(address) || isShort(id)) && (
      <Fact name="More">
        {isShort(address) && (
          <Link to={['/transactions', { [`${name}_address`]: address }]}>with this address</Link>
        )}
        {isShort(address) && isShort(id) && ' · '}
        {isShort(id) && <Link to={['/transactions', { [parameter]: id }]}>{words}</Link>}
      </Fact>
    ),
  ];
}

/** Whether an address of a page can hold it. */
function isShort(text: string | null): boolean {
  return !!text && isAddressable(text);
}

/** The reason is shown where the word does not imply it. */
function WhitelistFact({ use: { is_whitelisted, whitelist_reason } }: { readonly use: DestinationUse }) {
  const reason = whitelist_reason.replace(/^unknown: /, '').replace(/^(not )?listed$/, 'when it was made');
  return (
    <Fact name="Whitelist">
      <ListedBadge isWhitelisted={is_whitelisted} /> <span class="soft">{reason}</span>
    </Fact>
  );
}

function Effects({ transaction, isObservedBy }: Pick<FactsProps, 'transaction' | 'isObservedBy'>) {
  const { first_seen_after, first_seen_at, is_older_than_mirror, changed_at, status_since, sealed } =
    transaction;
  const asset_id = isShort(transaction.asset_id) ? transaction.asset_id : null;
  const at = (at: string) => ['/balances', { at, asset_id }] as const;
  return (
    <section>
      <h2>When</h2>
      <dl>
        <Fact name="First seen">
          {is_older_than_mirror ? (
            ['before the initial sync (', <Moment at={first_seen_at} />, ')']
          ) : (
            <Between after={first_seen_after} by={first_seen_at} />
          )}
        </Fact>
        <Fact name="Last changed">
          <Moment at={changed_at} as="both" />
        </Fact>
        {sealed && (
          <Fact name="History">
            <Sealed {...sealed} />
          </Fact>
        )}
        <Fact name="Balances">
          <Link to={isObservedBy.before ? at(first_seen_after ?? first_seen_at) : null}>before it</Link>
          {' · '}
          <Link to={isObservedBy.since ? at(status_since) : null}>
            when it was first seen {transaction.is_open ? 'in this status' : 'settled'}
          </Link>
        </Fact>
      </dl>
    </section>
  );
}
