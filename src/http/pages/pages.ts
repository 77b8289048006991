// Every page, in the order of the navigation.
import { assetPage } from './balances/asset-page.tsx';
import { balancesPage } from './balances/page.tsx';
import type { Page } from './page/page.ts';

export const pages: readonly Page[] = [balancesPage, assetPage];
