// The demo with its history, as its user starts it, once everything is mirrored: for clients of its read API.
// It ends with the test.
import { newFolder } from './folder.ts';
import { startProcess } from './process.ts';
import { waitFor } from './wait-for.ts';

/** Rows of the demo's read API. */
async function rowsOf(url: string, path: string): Promise<readonly Record<string, string | null>[]> {
  const answer = await fetch(`${url}/api/v1/${path}`);
  if (!answer.ok) return [];
  return ((await answer.json()) as { data: Record<string, string | null>[] }).data;
}

/** @returns the address of its pages */
export async function startDemo(): Promise<string> {
  const demo = startProcess(['demo'], { cwd: newFolder(0o755) });
  await demo.output(/Stop it with Ctrl-C\.\n/, { deadlineMs: 180_000 });
  const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(demo.stdout()) ?? [];
  const isRead = async () => {
    const rows = await rowsOf(url, 'freshness');
    return rows.length > 0 && rows.every((row) => row['last_success_at'] !== null);
  };
  await waitFor(isRead, { what: 'a mirror of everything', deadlineMs: 120_000 });
  return url;
}

/** A page of each kind. The oldest open transaction has the longest timeline that is not over. */
export async function pathsOfDemo(url: string): Promise<Readonly<Record<string, string>>> {
  const [open] = await rowsOf(url, 'transactions?is_open=true&sort=first_seen_at&limit=1');
  const [vault] = await rowsOf(url, 'vaults?limit=1');
  const [payment] = await rowsOf(url, 'destinations/uses?limit=1');
  const [day] = await rowsOf(url, 'reconciliation?is_explained=false&limit=1');
  const held = await rowsOf(url, 'balances?limit=500');
  const asset = held.find((row) => row['asset_id'] === 'BTC') ?? held[0];
  const named = (path: string, id: string | null | undefined) => `${path}/${encodeURIComponent(id ?? '')}`;
  return {
    overview: '/',
    accounts: '/accounts',
    balances: '/balances',
    comparison: `/balances?compare=${day?.['day']}`,
    fees: '/balances/fees',
    asset: named('/balances/assets', asset?.['asset_id']),
    transactions: '/transactions',
    movements: '/movements',
    transaction: named('/transactions', open?.['transaction_id']),
    documents: '/documents',
    vault: named('/documents/vaults', vault?.['vault_id']),
    entry: named('/documents/whitelist', payment?.['destination_id']),
    payments: '/documents/payments',
    changes: '/documents/changes',
    reconciliation: '/reconciliation',
    day: named(`/reconciliation/${day?.['day']}`, day?.['asset_id']),
    sync: '/sync',
    runs: '/sync/runs',
    quarantine: '/sync/quarantine',
    anomalies: '/sync/anomalies',
  };
}
