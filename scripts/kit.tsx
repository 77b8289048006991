// The kit of the pages on one page, each part in each of its states, for engineers who work on it: `npm run
// dev` serves it alongside the demo. It is no part of the product, and what it shows is made up.
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Page } from '../packages/pages/src/page/page.ts';
import { Pill, writeDocument } from '../packages/pages/src/page/shell.tsx';
import { Chart, Sparkline, StackedBar } from '../packages/pages/src/parts/drawings.tsx';
import { Filters, Jumps } from '../packages/pages/src/parts/form.tsx';
import { Badge, Facts, Notice, UnknownNotice } from '../packages/pages/src/parts/notice.tsx';
import { column, Export, Table } from '../packages/pages/src/parts/table.tsx';
import {
  Amount,
  Between,
  Change,
  Moment,
  Money,
  UntrustedText,
} from '../packages/pages/src/parts/values.tsx';
import { readPreferences, type View } from '../packages/pages/src/view/view.ts';
import type { AccessEnv } from '../src/http/request/environment.ts';
import { serveAssets } from '../src/server/pages/assets.ts';

const port = Number(process.env['KIT_PORT'] ?? 8788);
const now = new Date().toISOString();
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const figures = [
  ...['31059051.734567', '0.91685192', '-1250.5', '0', '0.000012345678'],
  ...[`0.${'0'.repeat(29)}1`, '9'.repeat(80), '<b>no number</b>'],
];
const texts = [
  'Treasury Operations',
  '  ',
  'bc1q4s8e3hx7k2v9m5w0d6p8xp8w',
  'turned \u202eround',
  `long ${'x'.repeat(300)}`,
];
const days = Array.from({ length: 30 }, (_, index) => index);
const line = days.map((day) => (day > 9 && day < 14 ? null : String(100 + 20 * Math.sin(day / 4))));

const parts: readonly (readonly [title: string, content: Child])[] = [
  [
    'Figures: an amount, a sum of money, a change',
    <Table
      caption="From the least to the greatest"
      rows={figures}
      columns={[
        column.text('As the API writes it', (value: string) => value, { code: true, most: 40 }),
        column.amount('Amount', (value: string) => value),
        column.amount('Signed', (value: string) => value, { signed: true, unitOf: () => 'BTC' }),
        ...column.money('Value', 'USD', (value: string) => value),
      ]}
      totals={['Sum', <Amount value={null} />, '', <Money value="31059052" currency="USD" />]}
    />,
  ],
  [
    'Changes',
    <p>
      <Change value="125020.69" since="30934031.04" currency="USD" /> ·{' '}
      <Change value="-125020.69" since="30934031.04" currency="EUR" /> ·{' '}
      <Change value="0" since="1" currency="CHF" /> ·{' '}
      <Change value={null} since={null} currency="USD" none="unknown, a balance could not be read" />
    </p>,
  ],
  [
    'Moments',
    <p>
      <Moment at={ago(4)} as="short" /> · <Moment at={ago(2_000)} as="short" /> ·{' '}
      <Moment at={ago(20_000)} as="short" /> · <Moment at={ago(4)} as="both" /> · <Moment at={null} /> ·{' '}
      <Between after={ago(9)} by={ago(4)} />
    </p>,
  ],
  [
    'Text of the service',
    <ul>
      {texts.map((text) => (
        <li>
          <UntrustedText text={text} /> · <UntrustedText text={text} code most={14} />
        </li>
      ))}
    </ul>,
  ],
  [
    'Badges and facts',
    <Facts
      of={(['good', 'note', 'bad', 'plain'] as const).map((tone) => [
        tone,
        <Badge word={tone} tone={tone} />,
      ])}
    />,
  ],
  [
    'Notices',
    <div class="tiles">
      {(['good', 'note', 'bad', 'plain'] as const).map((tone) => (
        <Notice tone={tone} title={`A verdict that is ${tone}`}>
          <p>And why.</p>
        </Notice>
      ))}
      <UnknownNotice title="Not known" why={`Nothing was read before ${now}.`} />
    </div>,
  ],
  [
    'Filters in use, and named views',
    <>
      <Filters
        label="The kit"
        fields={[
          { name: 'status', label: 'Status', choices: ['pending', 'completed'] },
          { name: 'asset_id', label: 'Asset' },
          { name: 'seen_from', label: 'Seen from', kind: 'moment', hint: 'Empty: 30 days' },
          { name: 'day', label: 'Day', kind: 'day' },
        ]}
      />
      <Jumps
        label="Show"
        jumps={[
          ['pending', { status: 'pending' }],
          ['completed', { status: 'completed' }],
        ]}
      />
    </>,
  ],
  [
    'A bar of parts',
    <StackedBar
      title="Where it lies"
      whole="100"
      shares={[
        ...['52.1', '30', '10', '4', '2.9', '0.9', '0.1'].map((value, index) => ({
          name: `Part ${index + 1}`,
          value,
          figure: <Money value={value} currency="USD" />,
        })),
        { name: 'Unknown', value: null, figure: 'unknown' },
      ]}
    />,
  ],
  [
    'Small lines',
    <p>
      <Sparkline values={line} title="30 days" /> <Sparkline values={['1', '1']} title="2 days" />{' '}
      <Sparkline values={['1', null]} title="a day" />
    </p>,
  ],
  [
    'A chart with a gap',
    <Chart
      title="Value over 30 days"
      unit="USD"
      moments={days.map((day) => ago((30 - day) * 1_440))}
      series={[{ title: 'Value in USD', values: line }]}
    />,
  ],
  ['An export', <Export source={{ path: '/v1/balances' }} name="Balances" />],
  ['An empty table', <Table caption="Nothing" rows={[]} columns={[]} empty="Nothing is on its way." />],
  [
    'Pills of freshness',
    <div>
      {(['good', 'note', 'bad'] as const).map((tone) => (
        <Pill tone={tone} says={`A pill that is ${tone}`}>
          What stands behind it.
        </Pill>
      ))}
    </div>,
  ],
];

const page: Page = {
  path: '/',
  section: 'overview',
  about: [],
  parameters: {},
  show: async () => ({
    title: 'The kit',
    hasCharts: true,
    content: (
      <>
        {parts.map(([title, content]) => (
          <section>
            <h2>{title}</h2>
            {content}
          </section>
        ))}
      </>
    ),
  }),
};

const app = new Hono<AccessEnv>();
const assets = serveAssets(app);
app.get('/', async (c) => {
  const query = { status: 'pending', at: now, ...c.req.query() };
  const view: View = {
    account: 'kit',
    accounts: [],
    preferences: readPreferences(c),
    zone: 'UTC',
    now,
    closed: null,
    path: '/',
    query,
  };
  const shown = await page.show({ view } as Parameters<Page['show']>[0]);
  if ('location' in shown) return c.redirect(shown.location);
  const asOf = (
    <Pill tone="good" says="Verified · 9 s ago">
      Made up.
    </Pill>
  );
  return c.html(await writeDocument({ view, page, shown, assets, version: 'kit', isLive: false, asOf }));
});
const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
createServer((request, response) => void listener(request, response)).listen(port, '127.0.0.1', () =>
  process.stdout.write(`The kit of the pages: http://127.0.0.1:${port}\n`),
);
