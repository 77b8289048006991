// The overview: what is held and where, what it is worth, what moved, what is on its way, and what needs a
// person.
import { resources } from '../../../domain/jobs.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Notice, UnknownNotice } from '../parts/notice.tsx';
import { Attention } from './attention.tsx';
import { FirstReading, NothingMirrored } from './beginning.tsx';
import { Holdings } from './holdings.tsx';
import { loadOverview } from './load.ts';
import { MovedSinceYesterday } from './moved.tsx';
import { OnItsWay } from './on-its-way.tsx';
import { WorthChart, WorthNow } from './worth.tsx';

export const overviewPage: Page = {
  path: '/',
  section: 'overview',
  about: resources,
  parameters: parametersOf('listWorth', 'currency'),
  async show(request) {
    const { view } = request;
    const data = await loadOverview(request);
    if (data === null && view.query['account'] !== undefined && view.accounts.length > 0)
      // Others are mirrored here: more likely the address names a wrong one than that it has just been added.
      return { title: 'Overview', status: 404, content: <UnknownNotice {...noSuchAccount} /> };
    if (data === null) return { title: 'Overview', content: <NothingMirrored /> };
    return {
      title: 'Overview',
      hasCharts: data.currency !== null,
      content: (
        <>
          <FirstReading data={data} />
          <Attention data={data} />
          <WorthNow data={data} />
          {data.currency === null && data.balances.length > 0 ? <WithoutPrices /> : null}
          <WorthChart data={data} />
          <Holdings data={data} />
          <MovedSinceYesterday data={data} />
          <OnItsWay data={data} />
        </>
      ),
    };
  },
};

const noSuchAccount = {
  title: 'No account of this name is mirrored here',
  why: 'The address names an account that the mirror does not know.',
};

function WithoutPrices() {
  return (
    <Notice tone="plain" title="Worth: unknown, there are no prices">
      <p>
        The custody service tells no prices. Put them into the table <code>custody.asset_prices</code>, and
        this page shows what the account is worth and how that moved.
      </p>
    </Notice>
  );
}
