// What balances cover, in words.
export const vaultTypes = [
  ['all', 'all vaults'],
  ['warm', 'warm vaults'],
  ['cold', 'cold vaults'],
] as const;

/** For sorting: all vaults first, then warm and cold ones. */
export function vaultOrder(type: string): number {
  return vaultTypes.findIndex(([known]) => known === type);
}

export function vaultWords(type: string): string {
  return vaultTypes.find(([known]) => known === type)?.[1] ?? type;
}
