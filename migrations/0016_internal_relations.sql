CREATE SCHEMA "internal";
--> statement-breakpoint
ALTER TABLE "custody"."destination_totals" SET SCHEMA "internal";

--> statement-breakpoint
ALTER VIEW "custody"."whitelist_periods" SET SCHEMA "internal";
--> statement-breakpoint
COMMENT ON SCHEMA "internal" IS 'What views of reporting rest on. No reader is given it, and it may change with any version.';
