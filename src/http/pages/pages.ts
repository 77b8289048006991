// Every page, in the order of the navigation.
import { balancesPage } from './balances/page.tsx';
import { overviewPage } from './overview/page.tsx';
import type { Page } from './page/page.ts';

export const pages: readonly Page[] = [overviewPage, balancesPage];
