# Computes the root of the sealed history of an account from its tables alone, as docs/sealing-format.md says, and
# prints it for each checkpoint; and compares the digest of each record with the sealed one. It shares no code with
# custody-mirror.
import base64
import datetime
import decimal
import hashlib
import json
import os

import psycopg2

account = os.environ.get('ACCOUNT', 'default')
connection = psycopg2.connect(os.environ['READER_URL'])
connection.set_session(isolation_level='REPEATABLE READ', readonly=True)
cursor = connection.cursor()
epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Number(str):
    """The text of a number in JSON."""


def value(kind, data):
    return kind + len(data).to_bytes(4, 'big') + data


def micros(moment):
    return str((moment - epoch) // datetime.timedelta(microseconds=1))


def encode(item):
    if item is None:
        return value(b'z', b'')
    if isinstance(item, bool):
        return value(b'y', b'true' if item else b'false')
    if isinstance(item, (Number, int)):
        return value(b'n', str(item).encode())
    if isinstance(item, decimal.Decimal):
        return value(b'n', format(item, 'f').encode())
    if isinstance(item, str):
        return value(b't', item.encode())
    if isinstance(item, datetime.datetime):
        return value(b'm', micros(item).encode())
    if isinstance(item, bytes):
        return value(b'b', item)
    if isinstance(item, list):
        return value(b'a', b''.join(encode(element) for element in item))
    members = sorted((name.encode(), member) for name, member in item.items())
    return value(b'o', b''.join(value(b't', name) + encode(member) for name, member in members))


def columns_of(table):
    schema, name = table.split('.')
    cursor.execute(
        'select column_name::text, data_type from information_schema.columns where table_schema = %s and table_name = %s',
        (schema, name),
    )
    return cursor.fetchall()


def rows_of(table, order):
    columns = columns_of(table)
    shown = ', '.join(f'"{name}"::text' if kind == 'jsonb' else f'"{name}"' for name, kind in columns)
    cursor.execute(f'select {shown} from {table} where account_id = %s order by {order}', (account,))
    for row in cursor.fetchall():
        yield {
            name: json.loads(cell, parse_int=Number, parse_float=Number) if kind == 'jsonb' else cell
            for (name, kind), cell in zip(columns, row)
            if cell is not None
        }


def entry(table, number, key, content):
    short = [
        hashlib.sha256(part.encode()).digest() if isinstance(part, str) and len(part.encode()) > 1024 else part
        for part in key
    ]
    digest = hashlib.sha256(encode(content)).digest()
    return encode(['custody-mirror row 1', table, Number(number), short, digest])


identity = ['account_id', 'vault_type', 'asset_id', 'network_id', 'valid_from']
parts = {}
for table, name in (('custody.balances', 'balances'), ('custody.unreadable_balances', 'unreadable')):
    for row in rows_of(table, 'asset_id collate "C", network_id collate "C", valid_from'):
        ended = row.pop('valid_to', None)
        began = (row['vault_type'], row['valid_from'])
        parts.setdefault(began, {}).setdefault(f'{name}_began', []).append(row)
        if ended is not None:
            key = {column: row[column] for column in identity}
            parts.setdefault((row['vault_type'], ended), {}).setdefault(f'{name}_ended', []).append(key)

keys = {
    'custody.transaction_status_history': ['account_id', 'transaction_id', 'sequence'],
    'custody.transaction_revisions': ['account_id', 'transaction_id', 'revision'],
    'custody.document_revisions': ['account_id', 'kind', 'document_id', 'revision'],
    'custody.balance_snapshots': ['account_id', 'vault_type', 'snapshot_at'],
}
log = []
for table, key in keys.items():
    for row in rows_of(table, 'change_id'):
        named = [row[column] for column in key]
        extra = parts.get((row['vault_type'], row['snapshot_at']), {}) if 'snapshot_at' in row else {}
        log.append((row['change_id'], entry(table, row['change_id'], named, {**row, **extra})))

# The digest of each record, from its text alone, is the one that was sealed with what was observed last.
last = {}
for table in ('custody.transaction_status_history', 'custody.transaction_revisions'):
    for row in rows_of(table, 'change_id'):
        if 'content_hash' in row:
            moments = last.setdefault(row['transaction_id'], {})
            moments.setdefault(row['observed_at'], set()).add(row['content_hash'])
for row in rows_of('custody.transactions', 'transaction_id'):
    record = {name: member for name, member in row['raw'].items() if name != 'timestamp'}
    digest = base64.urlsafe_b64encode(hashlib.sha256(encode(record)).digest()).rstrip(b'=').decode()
    if digest != row['content_hash'] or digest not in max(last.pop(row['transaction_id']).items())[1]:
        raise SystemExit(f'the record of {row["transaction_id"]} is not the one that was sealed')
if last:
    raise SystemExit(f'{len(last)} transactions are missing')

leaves = [hashlib.sha256(b'\0' + one).digest() for _, one in sorted(log)]


def root(hashes):
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return hashlib.sha256(b'\1' + root(hashes[:split]) + root(hashes[split:])).digest()


cursor.execute('select tree_size from sync.seal_checkpoints where account_id = %s order by 1', (account,))
print(json.dumps({size: root(leaves[:size]).hex() for (size,) in cursor.fetchall()}))
