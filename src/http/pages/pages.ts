// Every page, in the order of the navigation.
import { balancesPage } from './balances/page.tsx';
import { documentChangesPage } from './documents/changes-page.tsx';
import { entryPage } from './documents/entry-page.tsx';
import { documentsPage } from './documents/list-page.tsx';
import { paymentsPage } from './documents/payments-page.tsx';
import { vaultPage } from './documents/vault-page.tsx';
import type { Page } from './page/page.ts';
import { reconciliationDayPage } from './reconciliation/day-page.tsx';
import { reconciliationPage } from './reconciliation/list-page.tsx';

export const pages: readonly Page[] = [
  balancesPage,
  documentsPage,
  documentChangesPage,
  paymentsPage,
  vaultPage,
  entryPage,
  reconciliationPage,
  reconciliationDayPage,
];
