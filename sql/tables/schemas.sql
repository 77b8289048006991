COMMENT ON SCHEMA "custody" IS 'The mirror of the custody account: what the service shows, and its history.';
COMMENT ON SCHEMA "sync" IS 'State of the synchronization: runs, positions, leases, quarantine, anomalies and facts learned about the service.';
COMMENT ON SCHEMA "internal" IS 'Tables and views behind those of reporting. Readers have no access, and any version may change it.';
COMMENT ON SCHEMA "drizzle" IS 'Applied migrations.';
COMMENT ON SCHEMA "reporting" IS 'Views for people and BI tools: joined, exact, explained. Begin with data_freshness.';
