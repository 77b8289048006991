// What balances cover, in words.
export const vaultTypes = [
  ['all', 'all vaults'],
  ['warm', 'warm vaults'],
  ['cold', 'cold vaults'],
] as const;

export function vaultWords(type: string): string {
  return vaultTypes.find(([known]) => known === type)?.[1] ?? type;
}
