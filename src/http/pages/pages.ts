// Every page, in the order of the navigation.
import { balancesPage } from './balances/page.tsx';
import { anomaliesPage } from './mirror/anomalies-page.tsx';
import { mirrorPage } from './mirror/page.tsx';
import { quarantinePage } from './mirror/quarantine-page.tsx';
import { runsPage } from './mirror/runs-page.tsx';
import type { Page } from './page/page.ts';

export const pages: readonly Page[] = [balancesPage, mirrorPage, runsPage, quarantinePage, anomaliesPage];
