"""Loads every transaction of the custody service into PostgreSQL with dlt, page after page, as its documentation shows it.

It keeps the last state of each record, in columns made from its members. It keeps no history, does not check that a list
that moved was read whole, and reads everything again each time.
"""

import os

import dlt
from dlt.sources.helpers.requests import Client

base, key = os.environ["SERVICE_URL"], os.environ["SERVICE_KEY"]
limit = 200


@dlt.resource(name="transactions", primary_key="transaction_id")
def transactions():
    session = Client(raise_for_status=False).session
    for offset in range(0, 1 << 40, limit):
        answer = session.get(
            f"{base}/transactions", params={"limit": limit, "offset": offset}, headers={"x-api-key": key}, timeout=60
        )
        # The service says with TXN-02 that nothing is left (400).
        if answer.status_code == 400 and answer.json().get("error_code") == "TXN-02":
            return
        answer.raise_for_status()
        page = answer.json()["transactions"]
        yield page
        if len(page) < limit:
            return


pipeline = dlt.pipeline(
    pipeline_name="bench",
    destination=dlt.destinations.postgres(os.environ["DATABASE_URL"]),
    dataset_name="bench_dlt",
    pipelines_dir=os.environ["PIPELINES_DIR"],
)
file_format = os.environ.get("FILE_FORMAT")
pipeline.run(transactions(), **({"loader_file_format": file_format} if file_format else {}))
