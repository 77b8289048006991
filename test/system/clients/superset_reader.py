"""Imports the bundle into Superset as its dialog does, twice, asks every chart and every metric, and prints the answers as JSON.

With --import it only imports.

The last line of its output is {"charts": {name: rows}, "dashboards": {slug: names of charts}, "ranges": [[since, until]], "totals": {dataset: row}}.
"""

import io
import json
import os
import sys

from superset.app import create_app
from superset.utils.date_parser import get_since_until

client = create_app().test_client()


def ask(method, path, **options):
    answer = getattr(client, method)(path, headers=headers, **options)
    if answer.status_code != 200:
        sys.exit(f"{method} {path}: {answer.status_code} {answer.get_data(as_text=True)}")
    return answer.get_json()


def listed(kind):
    return ask("get", f"/api/v1/{kind}/?q=(page_size:100)")["result"]


headers = {}
login = {"username": "admin", "password": os.environ["ADMIN_PASSWORD"], "provider": "db", "refresh": False}
headers = {"Authorization": f"Bearer {ask('post', '/api/v1/security/login', json=login)['access_token']}"}
with open(sys.argv[1], "rb") as file:
    bundle = file.read()


def load():
    form = {
        "formData": (io.BytesIO(bundle), "superset.zip"),
        "passwords": json.dumps({"databases/custody_mirror.yaml": os.environ["READER_PASSWORD"]}),
        "overwrite": "true",
    }
    ask("post", "/api/v1/dashboard/import/", data=form, content_type="multipart/form-data")
    return [sorted(each["id"] for each in listed(kind)) for kind in ("database", "dataset", "chart", "dashboard")]


there = load()
if load() != there:
    sys.exit("the second import added something")
if sys.argv[2:] == ["--import"]:
    sys.exit()

charts = {}
for chart in listed("chart"):
    charts[chart["slice_name"]] = ask("get", f"/api/v1/chart/{chart['id']}/data/")["result"][0]["data"]

dashboards = {}
for dashboard in listed("dashboard"):
    shown = ask("get", f"/api/v1/dashboard/{dashboard['id']}/charts")["result"]
    dashboards[dashboard["slug"]] = sorted(chart["slice_name"] for chart in shown)

ranges = []
for dashboard in listed("dashboard"):
    metadata = json.loads(ask("get", f"/api/v1/dashboard/{dashboard['id']}")["result"]["json_metadata"])
    for each in metadata["native_filter_configuration"]:
        if "time_range" in each["defaultDataMask"]["extraFormData"]:
            since, until = get_since_until(each["defaultDataMask"]["extraFormData"]["time_range"])
            ranges.append([since.isoformat(), until.isoformat()])

totals = {}
for dataset in listed("dataset"):
    metrics = ask("get", f"/api/v1/dataset/{dataset['id']}")["result"]["metrics"]
    query = {"metrics": [metric["metric_name"] for metric in metrics], "columns": [], "row_limit": 2}
    body = {"datasource": {"id": dataset["id"], "type": "table"}, "queries": [query]}
    [totals[dataset["table_name"]]] = ask("post", "/api/v1/chart/data", json=body)["result"][0]["data"]

print(json.dumps({"charts": charts, "dashboards": dashboards, "ranges": ranges, "totals": totals}))
