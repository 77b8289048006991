// Words of vaults, whitelist entries and payments, the same on all their pages.
import type { DestinationUse, DocumentChange } from '../page/api.ts';
import { Badge } from '../parts/notice.tsx';
import { Link, TextLink, UntrustedText } from '../parts/values.tsx';
import { entryPath, vaultPath } from '../view/view.ts';

/** Which document a change is of, as a link to its page. */
export function DocumentLink({ row }: { readonly row: DocumentChange }) {
  const isVault = row.kind === 'vault';
  return (
    <>
      <TextLink
        to={isVault ? vaultPath(row.document_id) : entryPath(row.document_id)}
        text={row.name ?? row.document_id}
        most={80}
      />{' '}
      <span class="soft">{isVault ? 'vault' : 'whitelist entry'}</span>
    </>
  );
}

/** What happened, in a word. */
export function ChangeBadge({ row }: { readonly row: DocumentChange }) {
  if (row.is_older_than_mirror) return <Badge word="first read" tone="plain" />;
  const tones = { added: 'good', changed: 'note', removed: 'bad', restored: 'good' } as const;
  return <Badge word={row.change} tone={tones[row.change as keyof typeof tones] ?? 'plain'} />;
}

/** Who was paid: the entry by its name where the payment names one, and the address. */
export function Paid({ row }: { readonly row: DestinationUse }) {
  const { destination_type: type, destination_id: id, destination_name: name, destination_address } = row;
  const shown = <UntrustedText text={name || id || destination_address} none="not told" most={80} />;
  return (
    <>
      {type === 'whitelist' && id ? <Link to={entryPath(id)}>{shown}</Link> : shown}{' '}
      <span class="soft">
        {type === 'whitelist' ? 'whitelist entry' : <UntrustedText text={type} none="" />}
      </span>
      {destination_address && (name || id) ? (
        <div class="small">
          <UntrustedText text={destination_address} code most={80} />
        </div>
      ) : null}
    </>
  );
}
