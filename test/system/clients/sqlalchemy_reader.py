"""Reads the mirror as SQLAlchemy sees it with the address in READER_URL, and prints what it saw as JSON.

Nothing is told to it about the mirror: tables, keys, types and comments are reflected, and it joins by the foreign keys
that it found.
"""

import datetime
import decimal
import json
import os

import sqlalchemy
from sqlalchemy import String, cast, exc, func, select

engine = sqlalchemy.create_engine(os.environ["READER_URL"])
inspector = sqlalchemy.inspect(engine)


def described(schema, name):
    comment = inspector.get_table_comment(name, schema)["text"]
    columns = inspector.get_columns(name, schema)
    return {
        "comment": comment,
        "columns": {
            column["name"]: {"type": type_name(column["type"]), "comment": column["comment"]} for column in columns
        },
    }


def type_name(found):
    return f"{found!s} WITH TIME ZONE" if getattr(found, "timezone", False) else str(found)


def keyed(schema, name):
    return {
        **described(schema, name),
        "primaryKey": inspector.get_pk_constraint(name, schema)["constrained_columns"],
        "foreignKeys": [
            {
                "columns": key["constrained_columns"],
                "refersTo": f"{key['referred_schema']}.{key['referred_table']}",
                "referredColumns": key["referred_columns"],
            }
            for key in inspector.get_foreign_keys(name, schema)
        ],
    }


def refused(connection, statement):
    try:
        with connection.begin():
            connection.execute(statement)
    except exc.ProgrammingError as error:
        return error.orig.pgcode
    return None


metadata = sqlalchemy.MetaData()
metadata.reflect(engine, schema="custody")
transactions = metadata.tables["custody.transactions"]
history = metadata.tables["custody.transaction_status_history"]
view = sqlalchemy.Table("transactions", sqlalchemy.MetaData(), autoload_with=engine, schema="reporting")

with engine.connect() as connection:
    amount, as_text = transactions.c.amount, cast(transactions.c.amount, String)
    amounts = connection.execute(select(amount, as_text).where(amount.isnot(None))).all()
    longest = connection.execute(select(amount).order_by(func.length(as_text).desc()).limit(1)).scalar_one()
    moment = connection.execute(select(func.max(transactions.c.first_seen_at))).scalar_one()
    joined = select(func.count()).select_from(transactions.join(history))
    seen = {
        "tables": {name: keyed("custody", name) for name in inspector.get_table_names("custody")},
        "views": {name: described("reporting", name) for name in inspector.get_view_names("reporting")},
        "amounts": len(amounts),
        "exact": all(isinstance(value, decimal.Decimal) and value == decimal.Decimal(text) for value, text in amounts),
        "longest": format(longest, "f"),
        "zoned": isinstance(moment, datetime.datetime) and moment.tzinfo is not None,
        "joined": connection.execute(joined).scalar_one(),
        "inView": connection.execute(select(func.count()).select_from(view)).scalar_one(),
    }
with engine.connect() as connection:
    seen["refusals"] = {
        "insert": refused(connection, metadata.tables["custody.accounts"].insert().values(account_id="x", base_url="x")),
        "update": refused(connection, transactions.update().values(note="written by a reader")),
        "delete": refused(connection, transactions.delete()),
    }
print(json.dumps(seen))
