// Items that need attention, one line each with a link to the page that shows it; and what was checked.
import type { Child } from 'hono/jsx';
import type { DestinationUse, Tone } from '../api/ask.ts';
import { checkedDays, counted, lengthInWords } from '../api/words.ts';
import { Badge, isStuck, List, Notice, stuckOnly } from '../parts/notice.tsx';
import { Link, type LinkProps, Moment, UntrustedText } from '../parts/values.tsx';
import { useView, type View } from '../view/view.ts';
import { type Checks, type Overview, readState, resourceWords } from './load.ts';

interface Item {
  readonly word: string;
  readonly tone: Tone;
  readonly text: Child;
  readonly to: LinkProps['to'];
}

/** A longer list is not read to its end. */
const mostLines = 5;

export function Attention({ data }: { readonly data: Overview }) {
  const view = useView();
  const { checks } = data;
  const listed = [...notWhitelistedItems(checks), ...unexplainedItems(checks)];
  const found = [...problemItems(data), ...stuckItems(view, data), ...listed];
  const needs = found.filter(({ tone }) => tone !== 'plain');
  const items = [...needs, ...found.filter(({ tone }) => tone === 'plain')];
  const shown = items.slice(0, items.length > mostLines ? mostLines - 1 : mostLines);
  const isBad = needs.some(({ tone }) => tone === 'bad');
  const open = unansweredOf(data);
  const tone = isBad ? 'bad' : needs.length > 0 ? 'note' : open.length > 0 ? 'plain' : 'good';
  return (
    <Notice id="attention" tone={tone} title={headline(needs.length, open.length)}>
      {items.length > 0 && (
        <List
          class="items"
          items={[
            ...shown.map(({ word, tone, to, text }) => [
              <Badge word={word} tone={tone} />,
              ' ',
              <Link to={to}>{text}</Link>,
            ]),
            items.length > shown.length && <Link to="/sync">{items.length - shown.length} more</Link>,
          ]}
        />
      )}
      <Checked data={data} open={open} />
    </Notice>
  );
}

function headline(needs: number, open: number): string {
  const least = open > 0 ? 'At least ' : '';
  if (needs > 0) return `${least}${counted(needs, 'item')} ${needs === 1 ? 'needs' : 'need'} attention`;
  return open > 0 ? 'Nothing found so far that needs attention' : 'Nothing needs attention';
}

const problemWords: Readonly<Record<string, string>> = {
  quarantine: 'unreadable',
  'key-refused': 'key refused',
  'nothing-mirrored': 'never read',
  'never-read': 'never read',
  'never-verified': 'not verified',
  'verified-long-ago': 'not verified',
  'too-many-missing': 'missing',
  'history-altered': 'altered',
  'sealing-stopped': 'not sealed',
  'clock-behind': 'clock',
  'replica-behind': 'replica',
};

function problemItems({ health }: Overview): readonly Item[] {
  const problems = health.problems.filter(({ severity }) => severity !== 'note');
  const notes = health.problems.length - problems.length;
  const items = problems.map(
    ({ code, severity, problem, since }): Item => ({
      word: problemWords[code] ?? code,
      // The first readings are under way: nobody has to do anything.
      tone: code === 'starting' ? 'plain' : severity === 'critical' ? 'bad' : 'note',
      text: [<UntrustedText text={problem} most={160} />, <Ago at={since} />],
      to: code === 'quarantine' ? '/sync/quarantine' : '/sync',
    }),
  );
  if (notes === 0) return items;
  const text = `${counted(notes, 'kind')} of anomaly in the service’s data`;
  return [...items, { word: 'anomaly', tone: 'plain', text, to: '/sync/anomalies' }];
}

/** How long ago, in brackets after a text. */
function Ago({ at }: { readonly at: string | null }) {
  return <>{at && [' (', <Moment at={at} as="age" />, ')']}</>;
}

function stuckItems(view: View, { open }: Overview): readonly Item[] {
  const stuck = open.data.filter((row) => isStuck(row, view));
  const [oldest] = stuck;
  if (oldest === undefined) return [];
  const isMore = open.next_cursor !== null && stuck.length === open.data.length;
  const longest = lengthInWords(Date.parse(view.now) - Date.parse(oldest.first_seen_at));
  const text = `${isMore ? 'More than ' : ''}${counted(stuck.length, 'transaction')} open for more than a day, the oldest for ${oldest.is_older_than_mirror ? 'at least ' : ''}${longest}`;
  return [{ word: 'stuck', tone: 'bad', text, to: ['/transactions', stuckOnly(view.now)] }];
}

function notWhitelistedItems({ notWhitelisted, since }: Checks): readonly Item[] {
  if (notWhitelisted.data.length === 0) return [];
  const nameOf = (row: DestinationUse) => row.destination_name ?? row.destination_address;
  const names = [...new Set(notWhitelisted.data.map(nameOf))];
  const text = [
    `${notWhitelisted.next_cursor !== null ? 'More than ' : ''}${counted(notWhitelisted.data.length, 'payment')} in the last ${checkedDays} days went to `,
    <UntrustedText text={names[0]} most={48} none="a destination without a name" />,
    `${andOthers(names, 'other')}, not whitelisted at the time`,
  ];
  const query = { is_whitelisted: 'false', first_seen_from: since };
  return [{ word: 'not whitelisted', tone: 'bad', text, to: ['/documents/payments', query] }];
}

function andOthers({ length }: readonly unknown[], noun: string): string {
  return length > 1 ? ` and ${counted(length - 1, noun)}` : '';
}

function unexplainedItems({ unexplained, day }: Checks): readonly Item[] {
  if (unexplained.data.length === 0) return [];
  const assets = [...new Set(unexplained.data.map(({ asset_id }) => asset_id))];
  const days = new Set(unexplained.data.map((row) => row.day)).size;
  const text = [
    'Transactions do not explain how ',
    <UntrustedText text={assets[0]} most={40} none="an asset without a name" />,
    `${andOthers(assets, 'other asset')} changed on ${unexplained.next_cursor !== null ? 'at least ' : ''}${counted(days, 'day')} of the last ${checkedDays}`,
  ];
  const query = { day_from: day, is_explained: 'false' };
  return [{ word: 'unexplained', tone: 'bad', text, to: ['/reconciliation', query] }];
}

function checkedOf({ notWhitelisted, unexplained }: Overview['checks']): string {
  const always = 'health, unreadable records, transactions open for more than a day';
  const slow = [
    ...(notWhitelisted.state === 'known' ? ['payments to non-whitelisted destinations'] : []),
    ...(unexplained.state === 'known' ? ['balance changes that no transaction explains'] : []),
  ];
  return slow.length === 0 ? always : `${always}; for the last ${checkedDays} days, ${slow.join(' and ')}`;
}

function unansweredOf(data: Overview): readonly string[] {
  const found = (check: Checks['unexplained' | 'notWhitelisted'], what: string) =>
    check.state === 'known'
      ? []
      : [`${what} ${check.state === 'pending' ? 'are being checked' : 'could not be checked'}`];
  const unread = (['transactions', 'balances', 'whitelist'] as const).filter(
    (resource) => readState(data, resource) !== 'read',
  );
  return [
    ...unread.map((resource) => `${resourceWords(resource)}, which have not been read completely`),
    ...found(data.checks.notWhitelisted, 'payments'),
    ...found(data.checks.unexplained, 'balance changes'),
  ];
}

function Checked({ data, open }: { readonly data: Overview; readonly open: readonly string[] }) {
  const { checks } = data;
  const asked = [checks.notWhitelisted, checks.unexplained].flatMap(({ askedAt }) => askedAt ?? []);
  return (
    <details class="small">
      <summary>{open.length > 0 ? 'Checks done and not done' : 'Checks done'}</summary>
      Checked: {checkedOf(checks)}
      <Ago at={asked.toSorted()[0] ?? null} />.
      {open.length === 0 ? null : <strong> Not checked: {open.join('; ')}.</strong>}
    </details>
  );
}
