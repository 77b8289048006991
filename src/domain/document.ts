// Vaults and whitelist entries. interface.md does not show their bodies (2.9), so they are kept whole, with the few fields
// that can be recognised.

export const documentKinds = ['vault', 'whitelist_entry'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** interface.md 1. */
export const vaultTypes = ['warm', 'cold'] as const;
export type VaultType = (typeof vaultTypes)[number];

interface DocumentBody {
  readonly name: string | null;
  /** The whole record as JSON text that PostgreSQL's jsonb accepts. */
  readonly document: string;
  /** Digest of the record without its timestamp; equal digests mean unchanged content. */
  readonly contentHash: string;
}

export interface Vault extends DocumentBody {
  readonly vaultId: string;
  /** From the body, or from the filter of the list when the body names none. */
  readonly vaultType: string | null;
}

export interface WhitelistEntry extends DocumentBody {
  readonly entryId: string;
  readonly address: string | null;
  readonly assetId: string | null;
  readonly networkId: string | null;
}
