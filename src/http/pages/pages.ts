// Every page, in the order of the navigation.
import { assetPage } from './balances/asset-page.tsx';
import { balancesPage } from './balances/page.tsx';
import { anomaliesPage } from './mirror/anomalies-page.tsx';
import { mirrorPage } from './mirror/page.tsx';
import { quarantinePage } from './mirror/quarantine-page.tsx';
import { runsPage } from './mirror/runs-page.tsx';
import type { Page } from './page/page.ts';
import { transactionsPage } from './transactions/list-page.tsx';
import { transactionPage } from './transactions/one-page.tsx';

export const pages: readonly Page[] = [
  balancesPage,
  assetPage,
  transactionsPage,
  transactionPage,
  mirrorPage,
  runsPage,
  quarantinePage,
  anomaliesPage,
];
