// Every page, in the order of the navigation.

import { resources } from './api/words.ts';
import { assetPage } from './balances/asset-page.tsx';
import { feesPage } from './balances/fees-page.tsx';
import { balancesPage } from './balances/page.tsx';
import { documentChangesPage, documentsPage } from './documents/list-page.tsx';
import { paymentsPage } from './documents/payments.tsx';
import { entryPage, vaultPage } from './documents/vault-and-entry.tsx';
import { accountsPage, overviewPage } from './overview/page.tsx';
import type { Content, Page, Section } from './page/page.ts';
import { reconciliationDayPage } from './reconciliation/day-page.tsx';
import { reconciliationPage } from './reconciliation/list-page.tsx';
import { anomaliesPage, quarantinePage, runsPage } from './sync/jobs-and-findings.tsx';
import { syncPage } from './sync/page.tsx';
import { movementsPage, transactionsPage } from './transactions/list-page.tsx';
import { transactionPage } from './transactions/one-page.tsx';

type Row = readonly [path: string, section: Section, content: Content, ...about: Page['about']];

const table: readonly Row[] = [
  ['/', 'overview', overviewPage, ...resources],
  ['/accounts', 'overview', accountsPage],
  ['/balances', 'balances', balancesPage, 'balances'],
  ['/balances/assets/:asset_id', 'balances', assetPage, 'balances', 'transactions'],
  ['/balances/fees', 'balances', feesPage, 'transactions'],
  ['/transactions', 'transactions', transactionsPage, 'transactions'],
  ['/movements', 'transactions', movementsPage, 'transactions'],
  ['/transactions/:transaction_id', 'transactions', transactionPage, 'transactions'],
  ['/documents', 'documents', documentsPage, 'vaults', 'whitelist'],
  ['/documents/changes', 'documents', documentChangesPage, 'vaults', 'whitelist'],
  ['/documents/vaults/:vault_id', 'documents', vaultPage, 'vaults', 'balances'],
  ['/documents/whitelist/:entry_id', 'documents', entryPage, 'whitelist', 'transactions'],
  ['/documents/payments', 'documents', paymentsPage, 'transactions', 'whitelist'],
  ['/reconciliation', 'reconciliation', reconciliationPage, 'balances', 'transactions'],
  ['/reconciliation/:day/:asset_id', 'reconciliation', reconciliationDayPage, 'balances', 'transactions'],
  ['/sync', 'sync', syncPage, ...resources],
  ['/sync/runs', 'sync', runsPage],
  ['/sync/quarantine', 'sync', quarantinePage],
  ['/sync/anomalies', 'sync', anomaliesPage],
];

export const pages = table.map(
  ([path, section, content, ...about]): Page => ({ ...content, path, section, about }),
);
