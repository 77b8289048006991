// Finds variables that look like settings of the mirror but that no command reads. It ignores the names that
// Kubernetes and Docker inject for a service, and names of other programs.
import type { Environment } from './reader.ts';

/** Prefixes that no other program uses: such a name is ours or a mistake. */
const ours = /^(CUSTODY|SCHEDULE|LEASE|SEAL)_/;
/** Prefixes of other programs too: a mistake if close to a name of ours that is not set. */
const shared = /^(HTTP|LOG|DATABASE)_/;
/** Our names that resemble no other program's: a typo in their prefix is found too. */
const distinct = /^(CUSTODY|SCHEDULE|LEASE|SEAL|DATABASE)_/;
/** Names that differ by at most this many letters are close. */
const maxDistance = 2;

/**
 * @param known every variable that some command reads
 * @returns each with the name that was probably meant; null when none is close
 */
export function mistypedVariables(env: Environment, known: ReadonlySet<string>) {
  return Object.keys(env).flatMap((name) => {
    const upper = name.toUpperCase();
    if (known.has(name) || (env[name] ?? '').trim() === '') return [];
    if (isInjected(upper, env)) return [];
    if (ours.test(upper)) return [{ name, meant: nearest(upper, known) }];
    const isSet = (other: string) => (env[other] ?? '').trim() !== '';
    const near = [...known].find(
      (other) =>
        (shared.test(upper) || (distinct.test(other) && other[0] === upper[0])) &&
        distance(upper, other) <= maxDistance,
    );
    return near === undefined || isSet(near) || isSet(`${near}_FILE`) ? [] : [{ name, meant: near }];
  });
}

/** `X_SERVICE_HOST`, `X_PORT=tcp://…`, `X_PORT_8787_TCP_ADDR`; and `X_NAME`, `X_ENV_…` of Docker's links. */
function isInjected(name: string, env: Environment): boolean {
  if (/_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name))
    return true;
  const service = /^(\w+?)_(PORT|NAME|ENV_\w+)$/.exec(name)?.[1];
  return service !== undefined && /^(tcp|udp|sctp):\/\//.test(env[`${service}_PORT`] ?? '');
}

/** The closest known name. A name that extends the other, or is its beginning, comes first. */
function nearest(name: string, known: ReadonlySet<string>): string | null {
  const begun = [...known].filter((other) => other.startsWith(`${name}_`) || name.startsWith(`${other}_`));
  const candidates = begun.length > 0 ? begun : [...known];
  const [best] = candidates
    .map((other) => ({ other, away: distance(name, other) }))
    .sort((a, b) => a.away - b.away);
  if (best === undefined) return null;
  return begun.length > 0 || best.away <= Math.max(maxDistance, Math.floor(name.length / 4))
    ? best.other
    : null;
}

/** Levenshtein distance: the number of letters to add, remove or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
