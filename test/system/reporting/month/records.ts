// The transactions of the month, whole: nothing of them is drawn.
import type { VaultRecord } from '../../../../packages/sandbox/src/world/records.ts';
import type { NewTransaction } from '../../../../packages/sandbox/src/world/world.ts';

/** As the sandbox's balances name them. */
const assets: Readonly<Record<string, readonly [asset: string, networkId: string, network: string]>> = {
  BTC: ['Bitcoin', 'BTC', 'Bitcoin'],
  ETH: ['Ether', 'ETH', 'Ethereum'],
  SOL: ['Solana', 'SOL', 'Solana'],
  USDC: ['USD Coin', 'ETH', 'Ethereum'],
};

const blank = { memo: '', txnHash: '', blockexplorerLink: '', note: '', fee: '' };

function assetOf(assetId: string) {
  const [assetName = '', networkId = '', networkName = ''] = assets[assetId] ?? [];
  return { assetId, assetName, networkId, networkName };
}

export function deposit(
  transactionId: string,
  assetId: string,
  amount: string,
  { vaultId, name }: VaultRecord,
  more: NewTransaction = {},
): NewTransaction {
  return {
    ...blank,
    transactionId,
    transactionType: 'deposit',
    status: 'completed',
    ...assetOf(assetId),
    amount,
    sourceType: 'external',
    sourceId: '',
    sourceName: '',
    sourceAddress: 'sender',
    destinationType: 'vault',
    destinationId: vaultId,
    destinationName: name,
    destinationAddress: 'own',
    ...more,
  };
}

export function withdrawal(
  transactionId: string,
  assetId: string,
  amount: string,
  { vaultId, name }: VaultRecord,
  more: NewTransaction = {},
): NewTransaction {
  const destinationId = more.destinationId ?? 'w9';
  return {
    ...blank,
    transactionId,
    transactionType: 'withdraw',
    status: 'completed',
    ...assetOf(assetId),
    amount,
    fee: '0.5',
    sourceType: 'vault',
    sourceId: vaultId,
    sourceName: name,
    sourceAddress: 'own',
    destinationType: 'whitelist',
    destinationId,
    destinationName: destinationId,
    destinationAddress: `address of ${destinationId}`,
    ...more,
  };
}
