// The facts of a transaction: what it is, from where to where, what the whitelist said, and what the blockchain knows.
import type { Child } from 'hono/jsx';
import type {
  DestinationUse,
  TransactionWithHistory,
} from '../../../../packages/client/src/generated/types/api-types.ts';
import { Amount } from '../parts/amount.tsx';
import { OutLink } from '../parts/link.tsx';
import { Between, Moment } from '../parts/moment.tsx';
import { ListedBadge } from '../parts/notice.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { assetAddress } from '../view/places.ts';
import { addressOf, type View } from '../view/view.ts';
import { pageOfSide, type Side, sidesOf } from './party.tsx';
import { directionInWords, typeInWords } from './words.ts';

interface FactsProps {
  readonly view: View;
  readonly transaction: TransactionWithHistory;
  /** What the whitelist said of a withdrawal; null for others. */
  readonly use: DestinationUse | null;
}

/** How much of a text of the service is shown here; the raw record below has all of it. */
const longText = 2_000;

export function Facts({ view, transaction, use }: FactsProps) {
  const { source, destination } = sidesOf(transaction);
  return (
    <div class="facts">
      <What view={view} transaction={transaction} />
      <section>
        <h2>From</h2>
        <dl>
          <SideFacts view={view} side={source} filter="source" />
        </dl>
      </section>
      <section>
        <h2>To</h2>
        <dl>
          <SideFacts view={view} side={destination} filter="destination" />
          <Fact name="Memo">
            <UntrustedText text={transaction.destination_memo} most={longText} />
          </Fact>
          {use === null ? null : (
            <Fact name="Whitelist">
              <WhitelistState use={use} />
            </Fact>
          )}
        </dl>
      </section>
      <Effects view={view} transaction={transaction} />
    </div>
  );
}

function What({ view, transaction }: Omit<FactsProps, 'use'>) {
  const { transaction_id, transaction_type, direction, amount, asset_id, asset_name, fee } = transaction;
  const { network_id, network_name, note, txn_hash, blockexplorer_link } = transaction;
  return (
    <section>
      <h2>What</h2>
      <dl>
        <Fact name="Identifier">
          <UntrustedText text={transaction_id} code most={500} />
        </Fact>
        <Fact name="Type">
          {typeInWords(transaction_type)}, {directionInWords(direction)}{' '}
          <UntrustedText text={transaction_type} code most={60} none="" />
        </Fact>
        <Fact name="Amount">
          <Amount view={view} value={amount} /> <AssetLink view={view} id={asset_id} />
        </Fact>
        <Fact name="Asset">
          <UntrustedText text={asset_name} />
        </Fact>
        <Fact name="Network">
          <UntrustedText text={network_name ?? network_id} /> <UntrustedText text={network_id} code none="" />
        </Fact>
        <Fact name="Fee">
          <Amount view={view} value={fee} none="none sent" />{' '}
          {fee === null ? null : (
            <>
              <AssetLink view={view} id={transaction.fee_asset_id} />{' '}
              {transaction.fee_asset_is_assumed ? (
                <span class="soft">(asset of the fee is assumed)</span>
              ) : null}
            </>
          )}
        </Fact>
        <Fact name="Hash">
          <UntrustedText text={txn_hash} code most={500} />
        </Fact>
        <Fact name="Explorer">
          <OutLink address={blockexplorer_link} text="See it at" />
        </Fact>
        <Fact name="Note">
          <UntrustedText text={note} most={longText} />
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: Child }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function AssetLink({ view, id }: { readonly view: View; readonly id: string | null }) {
  const name = <UntrustedText text={id} most={60} />;
  if (id === null || id === '') return name;
  return <a href={assetAddress(view, id)}>{name}</a>;
}

function SideFacts({
  view,
  side,
  filter,
}: {
  readonly view: View;
  readonly side: Side;
  readonly filter: 'source' | 'destination';
}) {
  const page = pageOfSide(view, side);
  const name = <UntrustedText text={side.name === '' ? side.id : (side.name ?? side.id)} />;
  const { id, address } = side;
  return (
    <>
      <Fact name="Name">{page === null ? name : <a href={page}>{name}</a>}</Fact>
      <Fact name="Kind">
        <UntrustedText text={side.type} most={60} />
      </Fact>
      <Fact name="Identifier">
        <UntrustedText text={id} code />
      </Fact>
      <Fact name="Address">
        <UntrustedText text={address} code most={500} />
      </Fact>
      {isShort(address) || isShort(id) ? (
        <Fact name="All such">
          {isShort(address) ? (
            <a href={addressOf(view, '/transactions', { [`${filter}_address`]: address })}>
              with this address
            </a>
          ) : null}
          {isShort(address) && isShort(id) ? ' · ' : ''}
          {isShort(id) ? (
            <a
              href={addressOf(
                view,
                '/transactions',
                side.type === 'vault' ? { vault: id } : { [`${filter}_id`]: id },
              )}
            >
              {side.type === 'vault' ? 'of this vault' : `with this ${filter}`}
            </a>
          ) : null}
        </Fact>
      ) : null}
    </>
  );
}

/** Whether an address of a page can hold it. */
function isShort(text: string | null): boolean {
  return text !== null && text !== '' && text.length <= 500;
}

/** The reason is told where the word does not hold it. */
function WhitelistState({ use: { is_whitelisted, whitelist_reason } }: { readonly use: DestinationUse }) {
  const reason = whitelist_reason.replace(/^unknown: /, '');
  return (
    <>
      <ListedBadge isWhitelisted={is_whitelisted} />{' '}
      <span class="soft">{reason === 'listed' || reason === 'not listed' ? 'when it was made' : reason}</span>
    </>
  );
}

/** When it was seen, and where else its effects show. */
function Effects({ view, transaction }: Omit<FactsProps, 'use'>) {
  const { first_seen_after, first_seen_at, is_older_than_mirror, changed_at, asset_id, status_since } =
    transaction;
  const balancesAt = (at: string) =>
    addressOf(view, '/balances', { at, asset_id: isShort(asset_id) ? asset_id : null });
  return (
    <section>
      <h2>When</h2>
      <dl>
        <Fact name="Appeared">
          {is_older_than_mirror ? (
            <>
              before the mirror first read it (<Moment view={view} at={first_seen_at} />)
            </>
          ) : (
            <Between view={view} after={first_seen_after} by={first_seen_at} />
          )}
        </Fact>
        <Fact name="Last changed">
          <Moment view={view} at={changed_at} as="both" />
        </Fact>
        <Fact name="Balances">
          <a href={balancesAt(first_seen_after ?? first_seen_at)}>before it</a>
          {' · '}
          <a href={balancesAt(status_since)}>
            when it was first seen {transaction.is_open ? 'in this status' : 'settled'}
          </a>
        </Fact>
      </dl>
    </section>
  );
}
