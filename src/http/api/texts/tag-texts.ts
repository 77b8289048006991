// What the groups of operations are about, for the specification and the reference page.
export const tagDescriptions: Readonly<Record<string, string>> = {
  Transactions:
    'Transactions now and as they were known at a moment, with every status and every correction.',
  Balances: 'Balances by asset and vault type, now, at a moment and over time, and when they were observed.',
  Vaults: 'Vaults now and at a moment, with what changed.',
  Whitelist: 'Withdrawal addresses now and at a moment, with what changed.',
  Reports: 'Flows, fees, the reconciliation and destinations, by calendar day of the account.',
  Changes: 'Every change as a feed that can be resumed and misses nothing.',
  Mirror: 'How the mirror itself does: health, freshness, runs, and what it found.',
};
