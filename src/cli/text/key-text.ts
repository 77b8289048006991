// The output of `key`. Pure. A name cannot control the terminal, whatever the table holds.
import { onOneLine } from '../../domain/words.ts';
import type { KeyListing, Revocation } from '../../store/keys/api-keys.ts';
import { headings, layOut, type Pen, plain, type Row } from './terminal.ts';

const tones = { active: 'good', expired: 'note', revoked: 'faint' } as const;

export function renderKeys(keys: readonly KeyListing[], { color, width }: Pen): string {
  if (keys.length === 0) return 'There are no keys. custody-mirror key create <name> creates one.\n';
  const titles = ['prefix', 'state', 'created', 'expires', 'last use', 'scope', 'from', 'accounts', 'name'];
  const rows = keys.map(
    (key): Row => ({
      cells: [
        plain(onOneLine(key.prefix)),
        { text: key.state, tone: tones[key.state] },
        plain(minuteOf(key.createdAt)),
        plain(key.expiresAt === null ? 'never' : minuteOf(key.expiresAt)),
        plain(key.lastUsedAt === null ? 'never' : minuteOf(key.lastUsedAt)),
        plain(onOneLine(key.scope)),
        plain(networksOf(key)),
        plain(accountsOf(key)),
        plain(onOneLine(key.name)),
      ],
    }),
  );
  const lines = layOut([headings(titles), ...rows], Math.max(40, width), color);
  return `${lines.map((line) => line.trimEnd()).join('\n')}\nTimes are UTC.\n`;
}

/** As JSON; control characters for terminals are escaped. */
export function keysAsJson(keys: readonly KeyListing[]): string {
  const text = JSON.stringify({ keys }, null, 2);
  const escaped = text.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    Array.from(
      { length: found.length },
      (_, unit) => `\\u${found.charCodeAt(unit).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
  return `${escaped}\n`;
}

export function createdInWords(key: KeyListing): string {
  const expires = key.expiresAt === null ? 'does not expire' : `expires ${minuteOf(key.expiresAt)} UTC`;
  const reads = key.accounts === null ? 'all accounts, including future ones' : accountsOf(key);
  const what = key.scope === 'read' ? 'reads' : `has the scope ${key.scope}, reads`;
  const from = key.networks === null ? '' : ` is accepted from ${networksOf(key)} only,`;
  return `Created the key ${key.prefix} (${onOneLine(key.name)}). It ${what} ${reads},${from} and ${expires}.
It is shown this once. Send it as x-api-key, as a bearer token, or as the password of any user.
`;
}

export function revokedInWords({ key, already }: Revocation): string {
  const what = `The key ${key.prefix} (${onOneLine(key.name)})`;
  return already
    ? `${what} was already revoked, at ${key.revokedAt === null ? 'an unknown time' : `${minuteOf(key.revokedAt)} UTC`}.\n`
    : `${what} is revoked: the next request with it is refused.\n`;
}

function accountsOf({ accounts }: KeyListing): string {
  return accounts === null ? 'all' : accounts.map(onOneLine).join(', ');
}

function networksOf({ networks }: KeyListing): string {
  return networks === null ? 'anywhere' : networks.map(onOneLine).join(', ');
}

function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
