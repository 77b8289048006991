// Observed states of vaults and whitelist entries with what each changed, newest first.
import { type Column, type Source, Table } from '../parts/table.tsx';
import { Between, UntrustedText } from '../parts/values.tsx';
import { Differences } from './differences.tsx';
import type { ReadChange, ReadChanges } from './document-text.ts';
import { ChangeBadge, DocumentLink } from './words.tsx';

interface ChangesTableProps {
  readonly caption: string;
  readonly found: ReadChanges;
  readonly source: Source;
  readonly empty: string;
  /** Of one document, which need not be named in each row. */
  readonly isOfOne?: boolean;
  /** The page has a parameter `cursor`. Default true. */
  readonly isPaged?: boolean;
}

export function ChangesTable(props: ChangesTableProps) {
  const { caption, found, source, empty, isOfOne = false, isPaged = true } = props;
  const which: Column<ReadChange> = { title: 'Which', cell: ({ row }) => <DocumentLink row={row} /> };
  return (
    <Table
      caption={caption}
      noun="change"
      columns={[
        { title: 'When', cell: ({ row }) => <Between after={row.observed_after} by={row.observed_at} /> },
        ...(isOfOne ? [] : [which]),
        { title: 'What happened', cell: ({ row }) => <ChangeBadge row={row} /> },
        { title: 'Before and after', cell: (change) => <What change={change} /> },
      ]}
      rows={found.changes}
      empty={empty}
      source={source}
      next={isPaged ? found.next : null}
    />
  );
}

function What({ change: { row, differences } }: { readonly change: ReadChange }) {
  if (row.change === 'removed') return <>no longer listed by the service</>;
  if (row.change === 'restored' && differences.length === 0) return <>listed again, as it was</>;
  if (row.change !== 'added') return <Differences differences={differences} />;
  const told = [row.vault_type, row.asset_id, row.network_id].filter((text) => text);
  return (
    <>
      {told.map((text) => (
        <>
          <UntrustedText text={text} most={40} />{' '}
        </>
      ))}
      {row.address === null ? null : <UntrustedText text={row.address} code most={80} />}
      {row.is_older_than_mirror ? <span class="soft"> there before the mirror began</span> : null}
    </>
  );
}
