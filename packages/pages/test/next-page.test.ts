// The link to the next page of a list whose span of time is counted back from now.
import type { Child } from 'hono/jsx';
import { expect, test } from 'vitest';
import { AssetChanges } from '../src/balances/asset-page.tsx';
import { paymentsPage } from '../src/documents/payments.tsx';
import type { PageRequest } from '../src/page/page.ts';
import type { View } from '../src/view/view.ts';
import { renderIn } from './read-page.ts';

const view: View = {
  account: 'acme',
  accounts: [],
  preferences: { zone: 'account', digits: 'short', theme: 'auto', rows: 'normal' },
  zone: 'Pacific/Auckland',
  now: '2026-11-20T06:32:00.000Z',
  closed: null,
  path: '/a-page',
  query: {},
};

/** Answers every list with a first page without rows. */
const ask = (() => Promise.resolve({ data: [], next_cursor: 'more' })) as unknown as PageRequest['ask'];

const nextOf = async (content: Child) => {
  const html = await renderIn(view, content);
  const [, href = ''] = /rel="next" href="([^"]*)"/.exec(html) ?? [];
  return new URLSearchParams(href.replaceAll('&amp;', '&').split('?')[1]);
};

test('it names the span, so that it holds on another day too', async () => {
  const payments = await paymentsPage.show({ ask, view, params: {} } as unknown as PageRequest);
  expect(Object.fromEntries(await nextOf('content' in payments ? payments.content : ''))).toEqual({
    first_seen_from: '2026-11-12T11:00:00Z',
    cursor: 'more',
  });
  const span = { from: undefined, to: undefined };
  const changes = await AssetChanges({ view, ask, params: {}, asset: 'ETH', span });
  expect(Object.fromEntries(await nextOf(changes.content))).toEqual({
    from: '2026-10-21T06:32:00Z',
    cursor: 'more',
  });
});
