// Two readings of one vault as one: the record of the list (interface.md 4.5) and the body that its id is answered with
// (4.6). A field that either holds is kept; where both hold it, the body counts. So what is stored does not depend on which
// of the two was read last.
import type { Vault } from '../../domain/document.ts';
import type { DecodedItem } from '../../domain/page.ts';
import { createContentDigest, isObject, rawText } from './content.ts';
import { parseExactly } from './exact-json.ts';

/** What is known of a vault without its body. */
export type KnownVault = Pick<Vault, 'vaultId' | 'vaultType' | 'name' | 'document'>;

export function mergeVault(known: KnownVault, body: DecodedItem<Vault>): DecodedItem<Vault> {
  const { record } = body;
  // Parsed as one text, so that both mark their numbers alike.
  const parsed = parseExactly(`[${known.document},${record.document}]`);
  const [first, second]: unknown[] = Array.isArray(parsed.value) ? parsed.value : [];
  if (!isObject(first) || !isObject(second)) return body;
  const members = { ...first, ...second };
  const hash = createContentDigest(parsed).digest(members, 'timestamp');
  return {
    kind: 'record',
    key: known.vaultId,
    hash,
    record: {
      vaultId: known.vaultId,
      vaultType: record.vaultType ?? known.vaultType,
      name: record.name ?? known.name,
      document: rawText(members, parsed),
      contentHash: hash,
    },
  };
}
