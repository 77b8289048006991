// The schemas of the mirror, and what of them is open to readers.

/** Schemas a reader reads whole, with whatever later migrations add to them. */
export const openSchemas: readonly string[] = ['custody', 'reporting'];
/** Every schema of the mirror's own. */
export const ownSchemas: readonly string[] = [...openSchemas, 'sync', 'internal', 'drizzle'];
/** The tables of `sync` a reader reads: how runs went. Positions and leases are the writer's own affair. */
export const openSyncTables: readonly string[] = ['runs', 'anomalies', 'quarantine', 'learned'];
