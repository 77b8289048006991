// The schemas of the mirror, and which of them readers may read.

/** Schemas that a reader reads whole, with what later migrations add to them. */
export const openSchemas: readonly string[] = ['custody', 'reporting'];
/** Every schema that belongs to the mirror. */
export const ownSchemas: readonly string[] = [...openSchemas, 'sync', 'internal', 'drizzle'];
/** The tables of `sync` that a reader reads: what the status report of an account is made of. */
export const openSyncTables: readonly string[] = [
  'runs',
  'anomalies',
  'quarantine',
  'learned',
  'leases',
  'expectations',
];
