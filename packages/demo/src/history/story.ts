// What happened in the demo's world besides its usual traffic: the things that somebody who runs an account
// must notice. Each event leaves the world as the service would show it from then on.
import type { Sandbox } from '../../../sandbox/src/sandbox.ts';
import { parseUnits } from '../../../sandbox/src/values/decimal.ts';
import { day } from './moments.ts';
import { deposit, move, type Payee, withdraw } from './transfers.ts';

export interface StoryEvent {
  /** How long before the present. */
  readonly behind: number;
  /** Vaults or whitelist change. */
  readonly documents?: true;
  happen(sandbox: Sandbox): unknown;
}

/** The vault whose record the service shows without an id. */
export const unreadableVaultId = 'vlt_5c1f0e2a9b7d4410';

/** The transactions to look at; they are known once their events have happened. */
export interface Highlights {
  stuck: string;
  offTheList: string;
  sentTwice: string;
  corrected: string;
}

export interface Story {
  /** The earliest first. */
  readonly events: readonly StoryEvent[];
  readonly highlights: Readonly<Highlights>;
}

export function tellStory(): Story {
  const ids: Highlights = { stuck: '', offTheList: '', sentTwice: '', corrected: '' };
  const events = [
    ...offTheList(ids),
    ...newDocuments(),
    ...sentTwice(ids),
    ...corrected(ids),
    ...unexplained(),
    ...stuck(ids),
  ].sort((a, b) => b.behind - a.behind);
  return { events, highlights: ids };
}

/** A destination is removed from the whitelist, and paid all the same eight days later. */
function offTheList(ids: Highlights): StoryEvent[] {
  let payee: Payee;
  return [
    {
      behind: 80 * day,
      documents: true,
      happen: ({ world }) => {
        const entry = world.addWhitelistEntry({ name: 'Tern Market Makers (old) USDC', assetId: 'USDC' });
        payee = { ...entry, id: entry.whitelistId };
      },
    },
    { behind: 11 * day, documents: true, happen: ({ world }) => world.removeWhitelistEntry(payee.id) },
    {
      behind: 3 * day,
      happen: (sandbox) => {
        deposit(sandbox, { assetId: 'USDC', amount: '180000', note: 'OTC settlement' });
        ids.offTheList = withdraw(sandbox, {
          assetId: 'USDC',
          amount: '48500',
          payee,
          note: 'Invoice 2291/B',
        });
      },
    },
    { behind: 2.9 * day, happen: (sandbox) => move(sandbox, ids.offTheList, 'processing', { fee: '3.4' }) },
    { behind: 2.8 * day, happen: (sandbox) => move(sandbox, ids.offTheList, 'confirming') },
    { behind: 2.7 * day, happen: (sandbox) => move(sandbox, ids.offTheList, 'completed') },
  ];
}

/** Entries and vaults come and change; the record of one vault cannot be read. */
function newDocuments(): StoryEvent[] {
  return [
    {
      behind: 41 * day,
      documents: true,
      happen: ({ world }) => world.addWhitelistEntry({ name: 'Pine Street Fund II BTC', assetId: 'BTC' }),
    },
    {
      behind: 12 * day,
      documents: true,
      happen: ({ world }) => {
        const [vault] = world.vaults('warm');
        if (vault !== undefined) world.renameVault(vault.vaultId, `${vault.name} (EMEA)`);
      },
    },
    {
      behind: 6 * day,
      documents: true,
      happen: ({ world }) => world.addWhitelistEntry({ name: 'Bluewater Exchange USDT', assetId: 'USDT' }),
    },
    {
      behind: 5 * day,
      documents: true,
      happen: ({ world }) =>
        world.addVault({
          vaultId: unreadableVaultId,
          vaultType: 'cold',
          name: 'Escrow 2027',
          unused: true,
        }),
    },
  ];
}

/** A withdrawal that was noted, sent, and sent again with a higher fee. */
function sentTwice(ids: Highlights): StoryEvent[] {
  const note = (text: string) => (sandbox: Sandbox) =>
    sandbox.world.alterTransaction(ids.sentTwice, { note: text });
  return [
    {
      behind: 1.3 * day,
      happen: (sandbox) => {
        deposit(sandbox, { assetId: 'BTC', amount: '3.2', note: 'Monthly treasury allocation' });
        ids.sentTwice = withdraw(sandbox, { assetId: 'BTC', amount: '1.25', note: '' });
      },
    },
    { behind: 1.24 * day, happen: note('Approved by one of three') },
    { behind: 1.18 * day, happen: note('Approved by two of three') },
    {
      behind: 1.1 * day,
      happen: (sandbox) => move(sandbox, ids.sentTwice, 'processing', { fee: '0.00012' }),
    },
    { behind: 1.0 * day, happen: (sandbox) => move(sandbox, ids.sentTwice, 'confirming') },
    {
      behind: 0.8 * day,
      happen: (sandbox) =>
        move(sandbox, ids.sentTwice, 'confirming', {
          fee: '0.00041',
          attempt: 2,
          note: 'Approved by two of three; sent again with a higher fee',
        }),
    },
    { behind: 0.6 * day, happen: (sandbox) => move(sandbox, ids.sentTwice, 'completed') },
  ];
}

/** A deposit whose amount the service corrects three days later. */
function corrected(ids: Highlights): StoryEvent[] {
  return [
    {
      behind: 7.3 * day,
      happen: (sandbox) => {
        ids.corrected = deposit(sandbox, { assetId: 'EURC', amount: '25000', note: 'Client settlement' });
      },
    },
    {
      behind: 4.6 * day,
      happen: ({ world }) =>
        world.alterTransaction(ids.corrected, {
          amount: '25400.000000',
          note: 'Client settlement, corrected',
        }),
    },
  ];
}

/** One unit leaves, and no transaction explains it. */
function unexplained(): StoryEvent[] {
  return [
    {
      behind: 20 * day,
      happen: (sandbox) => deposit(sandbox, { assetId: 'LTC', amount: '120', note: '' }),
    },
    {
      behind: 4.3 * day,
      happen: ({ world }) => {
        const held = world.balances('warm').find(({ assetId }) => assetId === 'LTC')?.available ?? '0';
        const one = parseUnits('1') ?? 0n;
        world.adjustBalance('LTC', (parseUnits(held) ?? 0n) < one ? one : -one);
      },
    },
  ];
}

/** A withdrawal that was sent to be signed, and stayed there. */
function stuck(ids: Highlights): StoryEvent[] {
  return [
    {
      behind: 6.2 * day,
      happen: (sandbox) => {
        deposit(sandbox, { assetId: 'ETH', amount: '260', note: 'Client settlement' });
        ids.stuck = withdraw(sandbox, { assetId: 'ETH', amount: '85.5', note: 'Board resolution 14' });
      },
    },
    { behind: 5.9 * day, happen: (sandbox) => move(sandbox, ids.stuck, 'processing', { fee: '0.0021' }) },
  ];
}
