"""Reads transactions into pandas as docs/sql.md says, and prints what it saw as JSON: amounts exact with coerce_float=False."""

import decimal
import json
import os

import pandas
import sqlalchemy

engine = sqlalchemy.create_engine(os.environ["READER_URL"])
query = "select amount, amount::text as written, first_seen_at from reporting.transactions where amount is not null"
exact = pandas.read_sql(query, engine, coerce_float=False)
rounded = pandas.read_sql(query, engine)
print(
    json.dumps(
        {
            "rows": len(exact),
            "exact": all(
                isinstance(amount, decimal.Decimal) and amount == decimal.Decimal(written)
                for amount, written in zip(exact["amount"], exact["written"])
            ),
            "zoned": str(exact["first_seen_at"].dt.tz) == "UTC",
            "roundedType": str(rounded["amount"].dtype),
        }
    )
)
