CREATE INDEX "unreadable_balances_began_idx" ON "custody"."unreadable_balances" USING btree ("account_id","valid_from");
--> statement-breakpoint
CREATE INDEX "unreadable_balances_ended_idx" ON "custody"."unreadable_balances" USING btree ("account_id","valid_to") WHERE "custody"."unreadable_balances"."valid_to" is not null;
