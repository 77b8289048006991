"""Runs the Python of docs/scaling.md, whose file is the first argument, and prints as JSON what its Parquet files hold."""

import decimal
import json
import os
import sys

exec(compile(open(sys.argv[1], encoding="utf8").read(), "docs/scaling.md", "exec"))
decimal.getcontext().prec = 200


def shown(amount):
    """A number as PostgreSQL writes it without zeros at its end."""
    return format(decimal.Decimal(amount).normalize(), "f")


def total(rows, amount):
    """What Spark adds up as decimals, and what does not fit there added from its text, by asset."""
    sums = dict(rows.groupBy("asset_id").agg({amount: "sum"}).collect())
    rest = rows.where(f"{amount} is null and {amount}_text is not null").collect()
    for row in rest:
        sums[row.asset_id] = (sums[row.asset_id] or 0) + decimal.Decimal(row[f"{amount}_text"])
    return {"rest": len(rest), "sums": {asset: shown(value) for asset, value in sums.items() if value is not None}}


def refused(work):
    """The condition of Spark's error; null where there is none."""
    try:
        work()
        return None
    except Exception as error:
        return error.getCondition()


def told(transaction):
    """The amount as Spark takes it from the column itself."""
    query = f"(select amount from custody.transactions where transaction_id = '{transaction}') as q"
    return spark.read.format("jdbc").options(**source, dbtable=query).load()


transactions = spark.read.parquet("transactions")
balances = spark.read.parquet("balances_daily")
warm = balances.where("vault_type = 'warm'")
largest = transactions.where("asset_id = 'LARGEST'")
hostile = json.loads(os.environ["HOSTILE"])
print(
    json.dumps(
        {
            "amounts": {row.transaction_id: row.amount_text for row in transactions.collect()},
            "types": dict(transactions.select("change_id", "amount", "amount_text").dtypes),
            "transactions": total(transactions.where("asset_id <> 'LARGEST'"), "amount"),
            "largest": [shown(row.amount) for row in largest.collect()],
            "sumOfLargest": refused(lambda: largest.agg({"amount": "sum"}).collect()),
            "days": {str(row.day): row["count"] for row in balances.groupBy("day").count().collect()},
            "balances": total(warm, "total_balance"),
            "unruled": {
                "cast": shown(spark.sql(f"select cast('{hostile['text']}' as decimal(38, 18))").first()[0]),
                "type": told(hostile["long"]).dtypes[0][1],
                "long": shown(told(hostile["long"]).first().amount),
                "wide": refused(lambda: told(hostile["wide"]).first()),
            },
        }
    )
)
