// Made-up prices of the demo: a walk by days for each coin, from about what it costs today. They only look
// like prices.

import { assets } from '../../../sandbox/src/values/catalogue.ts';
import { createRandom } from '../../../sandbox/src/values/random.ts';
import type { PreparedPrice } from '../backfill/prepared-prices.ts';
import { day } from './moments.ts';

export const priceKind = { currency: 'USD', source: 'demo: made up, not a market price' };

/** Roughly what one unit costs, in USD, and how much that moves in a day. */
const coins: Readonly<Record<string, readonly [usd: number, moves: number]>> = {
  BTC: [64_000, 0.024],
  ETH: [3_100, 0.03],
  SOL: [150, 0.04],
  XRP: [0.6, 0.035],
  XLM: [0.11, 0.035],
  ADA: [0.45, 0.035],
  DOT: [6.4, 0.035],
  ATOM: [7.8, 0.035],
  AVAX: [29, 0.04],
  POL: [0.52, 0.04],
  TRX: [0.13, 0.02],
  XTZ: [0.9, 0.035],
  ALGO: [0.18, 0.04],
  LTC: [81, 0.03],
  LINK: [14.2, 0.04],
  UNI: [8.1, 0.04],
  AAVE: [112, 0.04],
  PAXG: [2_420, 0.008],
  USDC: [1, 0],
  USDT: [1, 0],
  DAI: [1, 0],
  EURC: [1.08, 0.004],
};

/** Coins that wrap another one, or are the same on another network. */
const sameAs: Readonly<Record<string, string>> = { WBTC: 'BTC', AVAX_USDC: 'USDC' };

/** A price of each asset at each midnight, in UTC, since the day before the history began. */
export function makeUpPrices(now: number, seed: number, historyMs: number): readonly PreparedPrice[] {
  const latest = Math.floor(now / day) * day;
  const midnights = Array.from({ length: historyMs / day + 2 }, (_, index) => latest - index * day);
  const walks = new Map(Object.keys(coins).map((coin) => [coin, walk(coin, seed, midnights.length)]));
  return assets.flatMap(({ assetId }) => {
    const prices = walks.get(sameAs[assetId] ?? assetId.split('_')[0] ?? '') ?? [];
    return prices.map((price, index) => ({ assetId, at: latest - index * day, price }));
  });
}

/** The prices of a coin as decimal text, the latest first. */
function walk(coin: string, seed: number, length: number): readonly string[] {
  const [usd, moves] = coins[coin] ?? [1, 0];
  const random = createRandom(seed, `price of ${coin}`);
  let price = usd;
  return Array.from({ length }, () => {
    const text = price.toFixed(price < 10 ? 6 : 2);
    price *= 1 + moves * (random.next() + random.next() - 1);
    return text;
  });
}
