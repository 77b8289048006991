// Merges two readings of a vault: its record in the list (docs/custody-service.md 4.5) and the answer by its
// id (4.6). The result has the fields of both; for a field in both, the answer by id wins, whichever was read
// last.
import type { KnownVault, Vault } from '../../domain/document.ts';
import type { DecodedItem } from '../../domain/page.ts';
import { createContentDigest, isObject, rawText } from './content.ts';
import { parseExactly } from './exact-json.ts';

export function mergeVault(known: KnownVault, body: DecodedItem<Vault>): DecodedItem<Vault> {
  const { record } = body;
  // Both are parsed as one text, so that they share the mark of numbers.
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
