// Every page, in the order of the navigation.
import { assetPage } from './balances/asset-page.tsx';
import { feesPage } from './balances/fees-page.tsx';
import { balancesPage } from './balances/page.tsx';
import { documentChangesPage, documentsPage } from './documents/list-page.tsx';
import { paymentsPage } from './documents/payments.tsx';
import { entryPage, vaultPage } from './documents/vault-and-entry.tsx';
import { accountsPage, overviewPage } from './overview/page.tsx';
import type { Page } from './page/page.ts';
import { reconciliationDayPage } from './reconciliation/day-page.tsx';
import { reconciliationPage } from './reconciliation/list-page.tsx';
import { anomaliesPage, quarantinePage, runsPage } from './sync/jobs-and-findings.tsx';
import { syncPage } from './sync/page.tsx';
import { movementsPage, transactionsPage } from './transactions/list-page.tsx';
import { transactionPage } from './transactions/one-page.tsx';

export const pages: readonly Page[] = [
  overviewPage,
  accountsPage,
  balancesPage,
  assetPage,
  feesPage,
  transactionsPage,
  movementsPage,
  transactionPage,
  documentsPage,
  documentChangesPage,
  vaultPage,
  entryPage,
  paymentsPage,
  reconciliationPage,
  reconciliationDayPage,
  syncPage,
  runsPage,
  quarantinePage,
  anomaliesPage,
];
