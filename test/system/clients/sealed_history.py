# Computes the root of the sealed history of an account from its tables alone, as docs/sealing-format.md says, and
# prints it for each checkpoint; and compares each row of the present tables with what its history leads to. It shares
# no code with custody-mirror.
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


def rows_of(table, order='1'):
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
    digest = hashlib.sha256(encode(content)).digest()
    return encode(['custody-mirror row 1', table, Number(number), key, digest])


identity = ['account_id', 'vault_type', 'asset_id', 'network_id', 'valid_from']
parts = {}
for table, name in (('custody.balances', 'balances'), ('custody.unreadable_balances', 'unreadable')):
    for row in rows_of(table):
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
    for row in rows_of(table):
        named = [row[column] for column in key]
        own = parts.get((row['vault_type'], row['snapshot_at']), {}) if 'snapshot_at' in row else {}
        extra = {name: sorted(rows, key=encode) for name, rows in own.items()}
        log.append((row['change_id'], entry(table, row['change_id'], named, {**row, **extra})))



def digest_of(document):
    record = {name: member for name, member in document.items() if name != 'timestamp'}
    return base64.urlsafe_b64encode(hashlib.sha256(encode(record)).digest()).rstrip(b'=').decode()


def expect(row, named, columns):
    for column, expected in columns.items():
        if row.get(column) != expected:
            raise SystemExit(f'{named}: {column} is {row.get(column)!r}, and its history says {expected!r}')


def history_of(table, name, order):
    found = {}
    for row in rows_of(table, order):
        found.setdefault(row[name], []).append(row)
    return found


def text_of(member):
    if isinstance(member, bool):
        return str(member).lower()
    return str(member) if isinstance(member, str) else None


def amount_of(member):
    return decimal.Decimal(member.strip()) if isinstance(member, str) and member.strip() else None


aliases = {'transaction_id': 'id', 'source_id': 'vault_id', 'destination_id': 'vault_id'}
spellings = {('transaction_type', 'changepool'): 'change pool', ('destination_type', 'stakepool'): 'stake pool'}


def field(holder, name, member=None):
    text = text_of(holder.get(member or name))
    if text is None and name in aliases:
        text = text_of(holder.get(aliases[name]))
    return spellings.get((name, text), text)


def fields_of(record):
    body = record['transaction'] if isinstance(record.get('transaction'), dict) else record
    columns = {'transaction_id': field(record, 'transaction_id'), 'status': field(record, 'status')}
    for name in ('transaction_type', 'asset_id', 'asset_name', 'network_id', 'network_name', 'txn_hash'):
        columns[name] = field(body, name)
    columns.update({name: field(body, name) for name in ('blockexplorer_link', 'note')})
    columns.update({name: amount_of(body.get(name)) for name in ('amount', 'fee')})
    for side in ('source', 'destination'):
        party = body[side] if isinstance(body.get(side), dict) else {}
        for part in ('type', 'id', 'name', 'address'):
            columns[f'{side}_{part}'] = field(party, f'{side}_{part}')
        if side == 'destination':
            columns['destination_memo'] = field(party, 'destination_memo', 'memo')
    return columns


statuses = history_of('custody.transaction_status_history', 'transaction_id', 'sequence')
revisions = history_of('custody.transaction_revisions', 'transaction_id', 'revision')
for row in rows_of('custody.transactions', 'transaction_id'):
    named = f'transaction {row["transaction_id"]}'
    seen, changed = statuses.pop(row['transaction_id'], None), revisions.pop(row['transaction_id'], [])
    if seen is None:
        raise SystemExit(f'{named} has no history')
    read = [each for each in changed if 'content_hash' in each]
    latest = max(each['observed_at'] for each in [seen[-1], *read[-1:]])
    digests = {each['content_hash'] for each in seen + read if each['observed_at'] == latest}
    if digest_of(row['raw']) not in digests:
        raise SystemExit(f'{named}: the record is not the one that was sealed')
    expect(
        row,
        named,
        {
            **fields_of(row['raw']),
            'content_hash': digest_of(row['raw']),
            'status': seen[-1]['to_status'],
            'status_changed_at': seen[-1]['observed_at'],
            'first_seen_at': seen[0]['observed_at'],
            'first_seen_after': seen[0].get('observed_after'),
            'missing_since': changed[-1]['observed_at'] if changed and 'content_hash' not in changed[-1] else None,
            'changed_at': max(latest, seen[-1].get('read_at', latest)),
        },
    )
if statuses:
    raise SystemExit(f'{len(statuses)} transactions are missing')

documents = {}
for row in rows_of('custody.document_revisions', 'revision'):
    documents.setdefault((row['kind'], row['document_id']), []).append(row)
for table, kind, key, others in (
    ('custody.vaults', 'vault', 'vault_id', ('name', 'vault_type')),
    ('custody.whitelist_entries', 'whitelist_entry', 'entry_id', ('name', 'address', 'asset_id', 'network_id')),
):
    for row in rows_of(table, key):
        named = f'{kind} {row[key]}'
        history = documents.pop((kind, row[key]), None)
        if history is None:
            raise SystemExit(f'{named} has no history')
        last = history[-1]
        expect(
            row,
            named,
            {
                **{name: last.get(name) for name in others},
                'document': last['document'],
                'content_hash': digest_of(row['document']),
                'first_seen_at': history[0]['observed_at'],
                'changed_at': last['observed_at'],
                'missing_since': last['observed_at'] if last['change'] == 'removed' else None,
            },
        )
if documents:
    raise SystemExit(f'{len(documents)} documents are missing')

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
