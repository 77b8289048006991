// The overview: what is held and where, its value, flows, transactions in progress, and what
// needs attention; and in the first minutes, that nothing is mirrored yet, or how far the first sync is.
import { resources } from '../../../../src/domain/jobs.ts';
import { counted } from '../../../../src/domain/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { ExportHoldings } from '../parts/export.tsx';
import { Notice, UnknownNotice } from '../parts/notice.tsx';
import { Link } from '../parts/values.tsx';
import { accountOf, useView } from '../view/view.ts';
import { Attention } from './attention.tsx';
import { Flows } from './flows.tsx';
import { Holdings } from './holdings.tsx';
import { InProgress } from './in-progress.tsx';
import { loadOverview, type Overview, readState } from './load.ts';
import { Allocation, Currencies, TotalValue } from './total-value.tsx';

export const overviewPage: Page = {
  path: '/',
  section: 'overview',
  about: resources,
  parameters: parametersOf('listPortfolioValue', 'currency'),
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
      actions: <ExportHoldings moments={momentsOf(data)} query={{ currency: data.currency }} />,
      content: (
        <>
          <FirstReading data={data} />
          <div class="first">
            {data.currency && <TotalValue data={data} currency={data.currency} />}
            {data.currency === null && data.balances.length > 0 && <WithoutPrices data={data} />}
            <Attention data={data} />
          </div>
          {data.currency && <Allocation data={data} currency={data.currency} />}
          <InProgress data={data} />
          <Holdings data={data} />
          <Flows data={data} />
        </>
      ),
    };
  },
};

/** Now, and the ends of the periods before that are known. */
function momentsOf({ ends }: Overview) {
  return [['now', undefined] as const, ...ends.map(([word, day]) => [`at the end of ${word}`, day] as const)];
}

const noSuchAccount = {
  title: 'Unknown account',
  why: 'No account of the name in the address is mirrored here.',
};

function WithoutPrices({ data }: { readonly data: Overview }) {
  const wanted = useView().query['currency'];
  if (wanted !== undefined && data.sums.length > 0)
    return (
      <Notice tone="plain" title={`Value unknown, there are no prices in ${wanted}`}>
        <p>There are prices in these currencies:</p>
        <Currencies data={data} />
      </Notice>
    );
  return (
    <Notice tone="plain" title="Value unknown, there are no prices">
      <p>
        The custody service sends no prices. Add them to the table <code>custody.asset_prices</code>, and this
        page shows the value of the account and how it changed.
      </p>
    </Notice>
  );
}

function NothingMirrored() {
  return (
    <Notice tone="plain" title="Nothing is mirrored yet">
      <p>
        This page will show what the account holds and where, what came in and went out, and what needs
        attention. Nothing has been read from this account yet, so its balances are unknown, not zero.
      </p>
      <p>
        If <code>custody-mirror run</code> has just started, the first figures appear here within a minute. If
        they do not, <Link to="/sync">Sync</Link> shows the cause.
      </p>
    </Notice>
  );
}

/** Nothing once all that is mirrored was read. The pill of freshness says how far each list is. */
function FirstReading({ data }: { readonly data: Overview }) {
  const account = accountOf(useView());
  const { health } = data;
  const isReading = resources.some((resource) => ['unread', 'in part'].includes(readState(data, resource)));
  if (!isReading) return null;
  return (
    <Notice
      id="first-reading"
      tone="plain"
      title={health.writer === null ? 'The first sync has not finished' : 'The first sync is in progress'}
    >
      <p>
        This page shows what has been read so far; anything missing is unknown, not zero.{' '}
        {account === undefined || account.transactions_total === 0
          ? null
          : `${counted(account.transactions_total, 'transaction')} so far. `}
        <Link to="/sync">{health.writer === null ? 'What to do' : 'Progress'}</Link>
      </p>
    </Notice>
  );
}
