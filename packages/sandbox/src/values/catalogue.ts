// The networks and assets of the world. Invariant: asset ids are unique; an asset on a second network has a
// compound id (section 2.3); every stakable asset is the native one of its network.
import { derivedText, hexDigits } from './random.ts';

/** How addresses and hashes of a network look. */
type AddressFamily = 'evm' | 'bitcoin' | 'base58' | 'upper-base32' | 'ripple' | 'bech32';

export interface Network {
  readonly networkId: string;
  readonly name: string;
  readonly family: AddressFamily;
  /** The beginning of every address, which may be empty. */
  readonly addressStart: string;
  readonly explorer: string;
  readonly usesMemo: boolean;
}

export interface Asset {
  readonly assetId: string;
  readonly name: string;
  readonly networkId: string;
  readonly decimals: number;
  /** True writes amounts with all their places, such as 12.500000. */
  readonly fixed: boolean;
  readonly stakable: boolean;
  /** A usual deposit, in whole units. */
  readonly usual: number;
  /** A usual fee, in units of 10^-9. */
  readonly feeNanos: number;
}

function network(
  networkId: string,
  name: string,
  family: AddressFamily,
  addressStart: string,
  explorer: string,
  usesMemo = false,
): Network {
  return { networkId, name, family, addressStart, explorer, usesMemo };
}

export const networks: readonly Network[] = [
  network('BTC', 'Bitcoin', 'bitcoin', 'bc1q', 'https://explorer.example/bitcoin/tx/'),
  network('ETH', 'Ethereum', 'evm', '0x', 'https://explorer.example/ethereum/tx/'),
  network('SOL', 'Solana', 'base58', '', 'https://explorer.example/solana/tx/'),
  network('XRP', 'XRP Ledger', 'ripple', 'r', 'https://explorer.example/xrpl/transactions/', true),
  network('XLM', 'Stellar', 'upper-base32', 'G', 'https://explorer.example/stellar/tx/', true),
  network('ADA', 'Cardano', 'bech32', 'addr1', 'https://explorer.example/cardano/transaction?id=', false),
  network('DOT', 'Polkadot', 'base58', '1', 'https://explorer.example/polkadot/extrinsic/'),
  network('ATOM', 'Cosmos Hub', 'bech32', 'cosmos1', 'https://explorer.example/cosmos/tx/', true),
  network('AVAX', 'Avalanche C-Chain', 'evm', '0x', 'https://explorer.example/avalanche/tx/'),
  network('POL', 'Polygon PoS', 'evm', '0x', 'https://explorer.example/polygon/tx/'),
  network('TRX', 'TRON', 'base58', 'T', 'https://explorer.example/tron/transaction/'),
  network('XTZ', 'Tezos', 'base58', 'tz1', 'https://explorer.example/tezos/'),
  network('ALGO', 'Algorand', 'upper-base32', '', 'https://explorer.example/algorand/tx/'),
  network('LTC', 'Litecoin', 'bitcoin', 'ltc1q', 'https://explorer.example/litecoin/tx/'),
  network('ARB', 'Arbitrum One', 'evm', '0x', 'https://explorer.example/arbitrum/tx/'),
];

type Manner = 'plain' | 'fixed' | 'stakable';

function asset(
  assetId: string,
  name: string,
  networkId: string,
  decimals: number,
  manner: Manner,
  usual: number,
  feeNanos: number,
): Asset {
  const fixed = manner === 'fixed';
  return { assetId, name, networkId, decimals, fixed, stakable: manner === 'stakable', usual, feeNanos };
}

export const assets: readonly Asset[] = [
  asset('BTC', 'Bitcoin', 'BTC', 8, 'fixed', 2, 120_000),
  asset('ETH', 'Ether', 'ETH', 18, 'stakable', 40, 2_100_000),
  asset('SOL', 'Solana', 'SOL', 9, 'stakable', 900, 5_000),
  asset('XRP', 'XRP', 'XRP', 6, 'plain', 60_000, 12_000),
  asset('XLM', 'Stellar Lumens', 'XLM', 7, 'fixed', 150_000, 10_000),
  asset('ADA', 'Cardano', 'ADA', 6, 'stakable', 80_000, 170_000_000),
  asset('DOT', 'Polkadot', 'DOT', 10, 'stakable', 6_000, 16_000_000),
  asset('ATOM', 'Cosmos', 'ATOM', 6, 'stakable', 4_000, 5_000_000),
  asset('AVAX', 'Avalanche', 'AVAX', 18, 'stakable', 1_500, 1_250_000),
  asset('POL', 'Polygon', 'POL', 18, 'stakable', 70_000, 4_000_000),
  asset('TRX', 'TRON', 'TRX', 6, 'stakable', 200_000, 1_100_000_000),
  asset('XTZ', 'Tezos', 'XTZ', 6, 'stakable', 40_000, 1_400_000),
  asset('ALGO', 'Algorand', 'ALGO', 6, 'stakable', 90_000, 1_000_000),
  asset('LTC', 'Litecoin', 'LTC', 8, 'fixed', 300, 200_000),
  asset('USDC', 'USD Coin', 'ETH', 6, 'fixed', 250_000, 3_400_000_000),
  asset('USDC_SOL', 'USD Coin (Solana)', 'SOL', 6, 'fixed', 90_000, 2_000_000),
  asset('USDC_POL', 'USD Coin (Polygon)', 'POL', 6, 'fixed', 60_000, 11_000_000),
  asset('USDC_ARB', 'USD Coin (Arbitrum)', 'ARB', 6, 'fixed', 75_000, 23_000_000),
  asset('USDT', 'Tether USD', 'ETH', 6, 'fixed', 300_000, 3_900_000_000),
  asset('USDT_TRX', 'Tether USD (TRON)', 'TRX', 6, 'fixed', 180_000, 1_000_000_000),
  asset('EURC', 'Euro Coin', 'ETH', 6, 'fixed', 120_000, 2_900_000_000),
  asset('DAI', 'Dai', 'ETH', 18, 'plain', 100_000, 3_100_000_000),
  asset('WBTC', 'Wrapped Bitcoin', 'ETH', 8, 'plain', 3, 60_000),
  asset('LINK', 'Chainlink', 'ETH', 18, 'plain', 5_000, 210_000_000),
  asset('UNI', 'Uniswap', 'ETH', 18, 'plain', 7_000, 320_000_000),
  asset('AAVE', 'Aave', 'ETH', 18, 'plain', 400, 30_000_000),
  asset('ETH_ARB', 'Ether (Arbitrum)', 'ARB', 18, 'plain', 25, 40_000),
  asset('LINK_ARB', 'Chainlink (Arbitrum)', 'ARB', 18, 'plain', 2_500, 12_000_000),
  asset('AVAX_USDC', 'USD Coin (Avalanche)', 'AVAX', 6, 'fixed', 55_000, 41_000_000),
  asset('PAXG', 'PAX Gold', 'ETH', 18, 'plain', 60, 1_300_000),
];

/** The place in `networks` of the network of each asset, by the place of the asset in `assets`. */
export const networkOfAsset: readonly number[] = assets.map(({ networkId }) =>
  networks.findIndex((network) => network.networkId === networkId),
);

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** An address on a network, derived from two numbers. EVM networks share one address, as in reality. */
export function deriveAddress({ family, addressStart, networkId }: Network, a: number, b: number): string {
  const salt =
    family === 'evm' ? 0 : networkId.length * 31 + networkId.charCodeAt(0) * 7 + networkId.charCodeAt(1);
  const key = b ^ (salt << 16);
  switch (family) {
    case 'evm':
      return addressStart + hexDigits(a, key, 5);
    case 'bitcoin':
      return addressStart + derivedText(a, key, bech32, 38);
    case 'bech32':
      return addressStart + derivedText(a, key, bech32, 38);
    case 'upper-base32':
      return addressStart + derivedText(a, key, base32, 56 - addressStart.length);
    case 'ripple':
      return addressStart + derivedText(a, key, base58, 33);
    case 'base58':
      return addressStart + derivedText(a, key, base58, 44 - addressStart.length);
  }
}

/** A transaction hash on a network, derived from two numbers. */
export function deriveHash({ family }: Network, a: number, b: number): string {
  const digits = hexDigits(a, b, 8);
  if (family === 'evm') return `0x${digits}`;
  if (family === 'ripple') return digits.toUpperCase();
  return digits;
}
