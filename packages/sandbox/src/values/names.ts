// Made-up names and notes, with quotes, line breaks and characters beyond ASCII, as people write them.

export const vaultNames: Record<'warm' | 'cold', readonly string[]> = {
  warm: [
    'Treasury Operations',
    'Trading Desk',
    'Client Settlement',
    'Payroll & Expenses',
    'Staking Operations',
    'Gas Station',
    'Market Making "Heron"',
    'Zürich Büro',
  ],
  cold: [
    'Long-Term Reserve',
    'Client Omnibus Cold',
    'Insurance Fund',
    'Foundation Endowment',
    'Réserve Genève',
    '東京 コールド',
  ],
};

export const companies: readonly string[] = [
  'Northwind Capital',
  'Halcyon OTC',
  'Bluewater Exchange',
  'Kestrel Custody',
  "O'Hara & Sons",
  'Fjord Payments AS',
  'Müller Treuhand',
  'Sakura Trading 株式会社',
  'Orchard Lending',
  'Tern Market Makers',
  'Pine Street Fund II',
];

export const poolNames = [
  'Northern Light',
  'Alpine Pool',
  'Granite',
  'Harbour Pool',
  'Meridian',
  'Cedar Pool',
];

/** Notes of transactions; most have the first one. */
export const notes: readonly string[] = [
  '',
  'Monthly treasury allocation',
  'Client settlement',
  'Invoice 2291/B',
  'Quarter-end rebalancing',
  'Approved by two of three',
  'OTC desk, trade "Blue Heron"',
  'Zahlung für Prüfung',
  'Réserve – virement interne',
  '運用口座への移動',
  'Refund\nsee ticket 4410',
  'Payroll ✅',
  'top-up C:\\hot\\gas',
  'Test payment',
  'Sweep of deposit address',
  'Board resolution 14',
];
