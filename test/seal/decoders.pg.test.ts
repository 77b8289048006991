// A version that reads a field of a stored record otherwise accuses no row that an earlier one wrote; a row
// that no version wrote is found.
import { expect, test } from 'vitest';
import type { RecordDecoder } from '../../src/custody/decode/items.ts';
import { transactionDecoder } from '../../src/custody/decode/records.ts';
import { readStoredTransaction, storedReader } from '../../src/custody/decode/stored.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import { account } from '../support/store.ts';
import { replayed } from './replayed.ts';
import { openHistory } from './sealed-history.ts';

/** Reads notes in capitals. */
const later: Pick<RecordDecoder<Transaction>, 'decode'> = {
  decode(...given) {
    const item = transactionDecoder.decode(...given);
    return { ...item, record: { ...item.record, note: item.record.note?.toUpperCase() ?? null } };
  },
};

test('a row is as one of the versions read it, whole', async () => {
  const { store, grow } = await openHistory();
  await grow();
  const both = storedReader(later, transactionDecoder);
  expect(await replayed(store.database, account, storedReader(later))).toMatchObject({ column: 'note' });
  expect(await replayed(store.database, account, both)).toBeNull();
  const update = (change: string) =>
    store.query(
      `update custody.transactions set ${change} where transaction_id = '1-3-ü' returning note, amount::text`,
    );
  expect(await update('note = upper(note)')).toMatchObject([{ note: 'NOTE "3"' }]);
  expect(await replayed(store.database, account, both)).toBeNull();
  expect(await update('amount = 77')).toMatchObject([{ amount: '77' }]);
  expect(await replayed(store.database, account, both)).toMatchObject({ column: 'amount', shown: '77' });
  expect(await replayed(store.database, account, readStoredTransaction)).not.toBeNull();
});
