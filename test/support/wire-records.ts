// Records as docs/custody-service.md 2 describes them, for tests to vary.

export function transactionRecord(id: string, overrides: Record<string, unknown> = {}) {
  return {
    transaction_id: id,
    timestamp: '2024-05-06T07:08:09.123Z',
    transaction: {
      transaction_type: 'withdraw',
      asset_id: 'BTC',
      asset_name: 'Bitcoin',
      network_id: 'BTC',
      network_name: 'Bitcoin Network',
      amount: '1.50000000',
      fee: '0.00012000',
      source: {
        source_type: 'vault',
        source_id: 'v-1',
        source_name: 'Treasury',
        source_address: 'bc1qsource',
      },
      destination: {
        destination_type: 'whitelist',
        destination_id: 'w-1',
        destination_name: 'Exchange',
        destination_address: 'bc1qdestination',
        memo: '',
      },
      txn_hash: '0xabc',
      blockexplorer_link: 'https://explorer.example/0xabc',
      note: '',
    },
    status: 'completed',
    ...overrides,
  };
}

export function balanceRecord(assetId: string, overrides: Record<string, unknown> = {}) {
  return {
    asset_id: assetId,
    asset_name: `${assetId} coin`,
    network_id: `${assetId}-net`,
    network_name: `${assetId} network`,
    balances: {
      total_balance: '10.5',
      available_balance: '10.0',
      processing_balance: '0.5',
      staking_balance: '0',
      claimable_balance: '0',
    },
    ...overrides,
  };
}
