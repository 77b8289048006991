// Vaults and whitelist entries. The service does not document their bodies (docs/custody-service.md 2.9), so
// they are kept whole, with the few fields that can be recognised.
import type { entryAttributes, Values, vaultAttributes, vaultTypes } from './fields.ts';

export const documentKinds = ['vault', 'whitelist_entry'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** What happened to a document in a revision. */
export const documentChangeKinds = ['added', 'changed', 'removed', 'restored'] as const;
export type DocumentChange = (typeof documentChangeKinds)[number];

/** docs/custody-service.md 1. */
export type VaultType = (typeof vaultTypes)[number];

interface DocumentBody {
  /** The whole record as JSON text that PostgreSQL's jsonb accepts. */
  readonly document: string;
  /** Digest of the record without its timestamp; equal digests mean unchanged content. */
  readonly contentHash: string;
}

/** The type comes from the body, or from the list's filter if the body names none. */
export interface Vault extends DocumentBody, Values<typeof vaultAttributes> {
  readonly vaultId: string;
}

/** A vault as the list or the mirror has it. */
export type KnownVault = Pick<Vault, 'vaultId' | 'vaultType' | 'name' | 'document'>;

export interface WhitelistEntry extends DocumentBody, Values<typeof entryAttributes> {
  readonly entryId: string;
}
