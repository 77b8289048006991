"""Reads the mirror through ODBC, as spreadsheets and BI tools do, with the address in READER_URL, and prints what it saw
as JSON. The catalogue functions are the driver's own (SQLTables, SQLColumns, SQLPrimaryKeys, SQLForeignKeys); it has none
that tells comments, and it hands out moments without their zone.
"""

import decimal
import json
import os
import urllib.parse

import pyodbc

address = urllib.parse.urlsplit(os.environ["READER_URL"])
connection = pyodbc.connect(
    driver=os.environ["ODBC_DRIVER"],
    server=address.hostname,
    port=address.port,
    database=address.path[1:],
    uid=address.username,
    pwd=address.password,
    autocommit=True,
)
cursor = connection.cursor()


def names(schema, kind):
    return [row.table_name for row in cursor.tables(schema=schema, tableType=kind).fetchall()]


def columns(schema, table):
    return {row.column_name: row.type_name for row in cursor.columns(table, schema=schema).fetchall()}


def keyed(schema, table):
    references = {}
    for row in cursor.foreignKeys(foreignTable=table, foreignSchema=schema).fetchall():
        parent = f"{row.pktable_schem}.{row.pktable_name}"
        key = references.setdefault(
            row.fk_name, {"columns": [], "refersTo": parent, "referredColumns": []}
        )
        key["columns"].append(row.fkcolumn_name)
        key["referredColumns"].append(row.pkcolumn_name)
    return {
        "columns": columns(schema, table),
        "primaryKey": [row.column_name for row in cursor.primaryKeys(table, schema=schema).fetchall()],
        "foreignKeys": list(references.values()),
    }


def refused(statement):
    try:
        cursor.execute(statement)
    except pyodbc.Error as error:
        return error.args[0]
    return None


amounts = cursor.execute(
    "select amount, amount::text from custody.transactions where amount is not null order by length(amount::text)"
).fetchall()
seen = {
    "tables": {name: keyed("custody", name) for name in names("custody", "TABLE")},
    "views": {name: {"columns": columns("reporting", name)} for name in names("reporting", "VIEW")},
    "amounts": len(amounts),
    "exact": all(isinstance(value, decimal.Decimal) and value == decimal.Decimal(text) for value, text in amounts),
    "longest": format(amounts[-1][0], "f"),
    "inView": cursor.execute("select count(*) from reporting.transactions").fetchval(),
    "refusals": {
        "insert": refused("insert into custody.accounts (account_id, base_url) values ('x', 'x')"),
        "update": refused("update custody.transactions set note = 'written by a reader'"),
        "delete": refused("delete from custody.transactions"),
    },
}
print(json.dumps(seen))
