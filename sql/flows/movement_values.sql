-- Completed deposits and withdrawals with their value. The history is read first, as in settlements, so that a day reads only its own
-- rows. The counterparty is looked up only for rows that are returned: not for a sum, and after a limit.
CREATE VIEW "reporting"."movement_values" AS
SELECT s.account_id, s.transaction_id, s.settled_at, r.direction, s.transaction_type, s.asset_id, s.asset_name, s.network_id,
	trim_scale(s.amount) AS amount, p.currency, trim_scale(p.price) AS price, p.as_of AS price_as_of,
	trim_scale(s.amount * p.price) AS value,
	(SELECT q.counterparty_name FROM reporting.transactions q WHERE q.account_id = s.account_id AND q.transaction_id = s.transaction_id),
	(SELECT q.counterparty_address FROM reporting.transactions q WHERE q.account_id = s.account_id AND q.transaction_id = s.transaction_id),
	s.missing_since
FROM internal.settlements s
JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
JOIN internal.present_currencies c ON c.account_id = s.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = s.account_id AND q.asset_id = s.asset_id AND q.currency = c.currency AND q.as_of <= s.settled_at
	ORDER BY q.as_of DESC LIMIT 1
) AS p
WHERE s.status = 'completed' AND r.direction IN ('in', 'out') AND s.amount IS NOT NULL;

COMMENT ON VIEW "reporting"."movement_values" IS 'Completed deposits and withdrawals, valued at the latest price in custody.asset_prices when they were completed. Only those with an amount and a price have a row: a missing one is not worthless.';
COMMENT ON COLUMN "reporting"."movement_values"."settled_at" IS 'When the mirror first saw it completed. Those completed before the mirror began are left out.';
COMMENT ON COLUMN "reporting"."movement_values"."direction" IS 'in (deposit) or out (withdraw).';
COMMENT ON COLUMN "reporting"."movement_values"."transaction_type" IS 'deposit or withdraw.';
COMMENT ON COLUMN "reporting"."movement_values"."amount" IS 'Amount in units of the asset, without fees: exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."movement_values"."price" IS 'Latest price of one unit of the asset when it was completed, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."movement_values"."value" IS 'Amount times price, exact: round it as the currency requires.';
