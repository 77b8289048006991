// The registry of anomalies: things in the service's data that should not occur. One row per kind, from which
// the type, the words of the commands and pages, the pages' filter and their links follow. docs/data.md
// explains each kind to readers of the database (a test compares). Naming a kind needs no migration.

interface AnomalyRow {
  readonly meaning: string;
  /** Its record is one transaction, whose page it links to. */
  readonly isOfTransaction?: true;
  /** Each sighting may show something else, which is kept: nobody could find it out again. */
  readonly isEvent?: true;
}

const anomalies = {
  'unknown-value': { meaning: 'an undocumented value, kept as received' },
  'duplicate-id': { meaning: 'several records with the same id in one answer', isEvent: true },
  'balance-parts-differ': { meaning: 'the parts of a balance do not add up to its total' },
  'totals-differ': { meaning: 'the balance of all vaults is not the sum of warm and cold vaults' },
  'settled-status-left': { meaning: 'a settled transaction changed its status', isOfTransaction: true },
  'conflicting-content': {
    meaning: 'a transaction that the service lists with two conflicting contents',
    isOfTransaction: true,
  },
  missing: { meaning: 'a transaction that the service no longer lists', isOfTransaction: true },
  altered: {
    meaning: 'a row that was changed in the database, not by the service',
    isEvent: true,
  },
  'too-many-missing': { meaning: 'too many transactions went missing at once, so none was marked' },
} as const satisfies Readonly<Record<string, AnomalyRow>>;

export type AnomalyKind = keyof typeof anomalies;
export const anomalyKinds = Object.keys(anomalies) as readonly AnomalyKind[];

/** Kinds whose sightings are events. */
export const eventKinds = anomalyKinds.filter((kind) => rowOf(kind)?.isEvent);

/** Explains a kind of anomaly; null for a kind of another version. */
export function anomalyInWords(kind: string): string | null {
  return rowOf(kind)?.meaning ?? null;
}

/** Whether the record of an anomaly is one transaction. */
export function isAnomalyOfTransaction(kind: string): boolean {
  return rowOf(kind)?.isOfTransaction === true;
}

function rowOf(kind: string): AnomalyRow | undefined {
  return Object.hasOwn(anomalies, kind) ? anomalies[kind as AnomalyKind] : undefined;
}
