COMMENT ON TABLE "sync"."anomalies" IS 'Findings: observations that should not happen, each with how often it was seen.';
COMMENT ON COLUMN "sync"."anomalies"."anomaly_id" IS 'Number of the anomaly.';
COMMENT ON COLUMN "sync"."anomalies"."kind" IS 'The kind of anomaly; docs/data.md explains each.';
COMMENT ON COLUMN "sync"."anomalies"."resource_id" IS 'The record, value or balance it concerns; empty if it concerns the whole list.';
COMMENT ON COLUMN "sync"."anomalies"."details" IS 'What was seen.';
COMMENT ON COLUMN "sync"."anomalies"."resolved_at" IS 'When it was no longer the case; null while it is open. The row is deleted 90 days later.';
