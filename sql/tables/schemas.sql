COMMENT ON SCHEMA "custody" IS 'The mirror of the custody account: what the service shows, and its history.';
COMMENT ON SCHEMA "sync" IS 'How the mirror came to be: runs, positions, leases, quarantine, anomalies and what was learned about the service.';
COMMENT ON SCHEMA "internal" IS 'What views of reporting rest on. No reader is given it, and it may change with any version.';
COMMENT ON SCHEMA "drizzle" IS 'Which migrations were applied.';
COMMENT ON SCHEMA "reporting" IS 'Views for people and BI tools: ready-joined, exact, explained. Begin with data_freshness.';
