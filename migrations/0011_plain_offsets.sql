DROP TRIGGER count_added ON custody.transactions;
--> statement-breakpoint
DROP TRIGGER count_changed ON custody.transactions;
--> statement-breakpoint
DROP VIEW internal.transaction_ranges_anew;
--> statement-breakpoint
DROP FUNCTION internal.count_in_ranges();
--> statement-breakpoint
DROP TABLE "custody"."transaction_ranges";
