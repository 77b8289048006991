// Compares what people read with its history, in whatever state it is, sealed or not.
import type { StoredReader } from '../../src/custody/decode/stored.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import { createLeaves, createReader, readHistory } from '../../src/seal/reading.ts';
import { createReplay } from '../../src/seal/replay.ts';
import type { Database } from '../../src/store/postgres/database.ts';

export function replayed(database: Database, account: string, read?: StoredReader<Transaction>) {
  const work: Parameters<Database['transact']>[1] = async (tx) => {
    const reader = createReader(tx, account);
    const replay = createReplay(read);
    await readHistory(reader, createLeaves(), replay);
    return await replay.compare(reader, () => undefined);
  };
  return database.transact('replay', work, { snapshot: true });
}
