// The reference list: what the custody service holds, and every way in which the tests let it change. Pure
// and deterministic; positions are taken modulo the length, so that any number is a place in any list.

/**
 * Where the list puts new records, and whether a changed one moves to its head. The service documents no
 * order.
 */
export type ListOrder = 'head' | 'tail' | 'updated-first';

export const statuses = [
  'pending',
  'processing',
  'confirming',
  'completed',
  'rejected',
  'cancelled',
  'failed',
] as const;
type Status = (typeof statuses)[number];
const usualNext: Readonly<Partial<Record<Status, Status>>> = {
  pending: 'processing',
  processing: 'confirming',
  confirming: 'completed',
};

const variedFields = ['amount', 'fee', 'note', 'txnHash', 'sourceName', 'unknown'] as const;
export type VariedField = (typeof variedFields)[number];

/** One record as it is at a moment; never changed in place, so that a log may hold on to it. */
export interface ModelRecord {
  readonly id: string;
  readonly status: Status;
  /** Each varied field has a handful of values, so that one may also change back. */
  readonly values: Readonly<Record<VariedField, number>>;
}

export type Action =
  /** `grow` is where the order puts new records; the other places are against it. */
  | {
      readonly kind: 'insert';
      readonly place: 'grow' | 'head' | 'tail' | 'middle';
      readonly at: number;
      readonly count: number;
    }
  | { readonly kind: 'delete'; readonly at: number }
  /** A deleted record shows again, at the head. */
  | { readonly kind: 'restore'; readonly at: number }
  /** `next` is the usual direction. */
  | { readonly kind: 'status'; readonly at: number; readonly to: Status | 'next' }
  | { readonly kind: 'field'; readonly at: number; readonly field: VariedField; readonly value: number }
  | { readonly kind: 'to-head'; readonly at: number };

export interface ListModel {
  apply(action: Action): void;
  /** The records in the list's order; a new array after every change. */
  readonly records: readonly ModelRecord[];
  record(id: string): ModelRecord | undefined;
  /** Begins to watch: the set loses every record that leaves the list from now on. */
  watch(): Set<string>;
}

export function createListModel(order: ListOrder, length: number): ListModel {
  let next = 0;
  let records: readonly ModelRecord[] = [];
  const deleted: ModelRecord[] = [];
  const watched: Set<string>[] = [];

  const create = (status: Status): ModelRecord => {
    next += 1;
    const values = { amount: next % 3, fee: 0, note: 0, txnHash: 0, sourceName: 0, unknown: 0 };
    return { id: `t${next}`, status, values };
  };
  const insertAt = (place: number, added: readonly ModelRecord[]) => {
    records = [...records.slice(0, place), ...added, ...records.slice(place)];
  };
  const replace = (place: number, record: ModelRecord) => {
    if (order === 'updated-first') records = [record, ...records.filter((_, index) => index !== place)];
    else records = records.map((other, index) => (index === place ? record : other));
  };
  const placeOf = (at: number) => at % records.length;

  function insert({ place, at, count }: Extract<Action, { kind: 'insert' }>): void {
    for (let added = 0; added < count; added += 1) {
      const one = [create(statuses[(at + added) % 4] ?? 'pending')];
      if (place === 'middle') insertAt(at % (records.length + 1), one);
      else if (place === 'tail' || (place === 'grow' && order === 'tail')) insertAt(records.length, one);
      else insertAt(0, one);
    }
  }

  function remove(at: number): void {
    const record = records[placeOf(at)];
    if (record === undefined) return;
    records = records.filter((other) => other !== record);
    deleted.push(record);
    for (const set of watched) set.delete(record.id);
  }

  function alter(at: number, alteration: (record: ModelRecord) => ModelRecord): void {
    const place = placeOf(at);
    const record = records[place];
    if (record !== undefined) replace(place, alteration(record));
  }

  for (let index = 0; index < length; index += 1) {
    const oldest = index < length * 0.7;
    const record = create(statuses[oldest ? 3 + (index % 4) : index % 3] ?? 'pending');
    insertAt(order === 'tail' ? records.length : 0, [record]);
  }

  return {
    apply(action) {
      if (action.kind === 'insert') return insert(action);
      if (action.kind === 'restore') {
        const [record] = deleted.splice(action.at % Math.max(1, deleted.length), 1);
        if (record !== undefined) insertAt(0, [record]);
        return;
      }
      if (records.length === 0) return;
      if (action.kind === 'delete') remove(action.at);
      else if (action.kind === 'to-head') {
        const [moved] = records.slice(placeOf(action.at));
        if (moved !== undefined) records = [moved, ...records.filter((other) => other !== moved)];
      } else if (action.kind === 'field')
        alter(action.at, (record) => ({
          ...record,
          values: { ...record.values, [action.field]: action.value },
        }));
      else
        alter(action.at, (record) => ({
          ...record,
          status: action.to === 'next' ? (usualNext[record.status] ?? record.status) : action.to,
        }));
    },
    get records() {
      return records;
    },
    record: (id) => records.find((record) => record.id === id),
    watch() {
      const set = new Set(records.map((record) => record.id));
      watched.push(set);
      return set;
    },
  };
}
