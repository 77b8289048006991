// What a key of the read API may ask for, least first. `src/http/access/key-limits.ts` names the paths.
export const keyScopes = ['metrics', 'balances', 'custody', 'read'] as const;

export type KeyScope = (typeof keyScopes)[number];
