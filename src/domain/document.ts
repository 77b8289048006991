// Vaults and whitelist entries: bodies that interface.md does not show (2.9), kept whole, with the few fields we can tell.

export const documentKinds = ['vault', 'whitelist_entry'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** interface.md 1. */
export const vaultTypes = ['warm', 'cold'] as const;
export type VaultType = (typeof vaultTypes)[number];

interface DocumentBody {
  readonly name: string | null;
  /** The whole record as JSON text that PostgreSQL's jsonb accepts. */
  readonly document: string;
  /** Digest of the record but its timestamp; equal digests mean unchanged content. */
  readonly contentHash: string;
}

export interface Vault extends DocumentBody {
  readonly vaultId: string;
  /** From the body, or else from the filter of the list that held it. */
  readonly vaultType: string | null;
}

export interface WhitelistEntry extends DocumentBody {
  readonly entryId: string;
  readonly address: string | null;
  readonly assetId: string | null;
  readonly networkId: string | null;
}
