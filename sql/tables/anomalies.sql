COMMENT ON TABLE "sync"."anomalies" IS 'Anomalies: observations that should not happen, one row each, with how often each was seen.';
COMMENT ON COLUMN "sync"."anomalies"."anomaly_id" IS 'Number of the anomaly.';
COMMENT ON COLUMN "sync"."anomalies"."kind" IS 'The kind of anomaly; docs/data.md explains each.';
COMMENT ON COLUMN "sync"."anomalies"."resource_id" IS 'The record, value or balance it concerns; empty if it concerns the whole list.';
COMMENT ON COLUMN "sync"."anomalies"."details" IS 'What was seen last; in earlier, what else was seen of a kind whose sightings are events.';
COMMENT ON COLUMN "sync"."anomalies"."resolved_at" IS 'When it ended; null while it is open. The row is deleted 90 days later.';
