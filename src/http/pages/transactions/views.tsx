// The named views of the transactions: open and settled ones, and what people ask for most.
import type { Child } from 'hono/jsx';
import { grouped } from '../../../domain/words.ts';
import type { Ask } from '../page/ask.ts';
import { Jumps } from '../parts/form.tsx';
import { stuckMs } from '../parts/transaction-types.ts';
import { Link } from '../parts/values.tsx';
import { lastDays, lastWeek } from '../view/days.ts';
import { accountOf, useView, type View } from '../view/view.ts';

const mostCounted = 100;

/** How many are open, up to some; null where the address asks for other than that. */
export async function openOf({ query }: View, ask: Ask): Promise<string | null> {
  const plain = ['account', 'is_open', 'sort', 'cursor'];
  if (Object.keys(query).some((name) => !plain.includes(name))) return null;
  const found = await ask.known('listTransactions', { is_open: true, limit: mostCounted });
  if ('unknown' in found) return null;
  const { data, next_cursor } = found.answer;
  return next_cursor === null ? String(data.length) : `over ${mostCounted}`;
}

/** Which are open, and what people ask for most. Their counts stand there where they cost nothing. */
export function Views({ open, children }: { readonly open: string | null; readonly children: Child }) {
  const view = useView();
  const { now, zone } = view;
  const all = accountOf(view)?.transactions_total;
  const since = { is_open: null, first_seen_to: null };
  const stuckSince = Math.floor((Date.parse(now) - stuckMs) / 60_000) * 60_000;
  const stuck = { is_open: 'true', first_seen_from: null, first_seen_to: new Date(stuckSince).toISOString() };
  return (
    <div class="chips">
      <Jumps
        jumps={[
          [open === null ? 'Open' : `Open ${open}`, { is_open: 'true' }],
          ['Settled', { is_open: 'false' }],
          [open === null || all === undefined ? 'All' : `All ${grouped(all)}`, { is_open: null }],
          ['This week', { ...since, first_seen_from: lastWeek(now, zone).to }],
          ['Last 7 days', { ...since, first_seen_from: lastDays(now, zone, 7).from }],
          ['Stuck', { ...stuck, sort: 'first_seen_at' }],
        ]}
      />
      <Link isChip to={['/documents/payments', { is_whitelisted: false }]}>
        Off the whitelist
      </Link>
      {children}
    </div>
  );
}
