// Variables that look like ours and are read by nobody: a setting that was meant and has no effect. Names that others own are
// left alone: those that Kubernetes and Docker inject for a service, and prefixes that other programs use as well.
import type { Environment } from './config-reader.ts';

/** Nobody else's: whatever begins so is ours or a mistake. */
const ours = /^(CUSTODY|SCHEDULE|LEASE|THIN)_/;
/** Others' too (HTTP_PROXY, LOG_DIR, DATABASE_HOST): a mistake only where it is nearly a name of ours that is not set. */
const shared = /^(HTTP|LOG|DATABASE)_/;
/** Names of ours that no other program's resemble: one that differs by a letter in the prefix is meant for them too. */
const distinct = /^(CUSTODY|SCHEDULE|LEASE|THIN|DATABASE)_/;
const others: ReadonlySet<string> = new Set(['HTTP_PROXY']);
/** Letters to change before a name is no longer taken for another one. */
const nearlyAtMost = 2;

export interface Mistyped {
  readonly name: string;
  /** The name that was probably meant; null where none is near. */
  readonly meant: string | null;
}

/** @param known every variable that some command reads */
export function mistypedVariables(env: Environment, known: ReadonlySet<string>): readonly Mistyped[] {
  return Object.keys(env).flatMap((name) => {
    const upper = name.toUpperCase();
    if (known.has(name) || (env[name] ?? '').trim() === '' || others.has(upper)) return [];
    if (isInjected(upper, env)) return [];
    if (ours.test(upper)) return [{ name, meant: nearest(upper, known) }];
    const isSet = (other: string) => (env[other] ?? '').trim() !== '';
    const near = [...known].find(
      (other) =>
        (shared.test(upper) || (distinct.test(other) && other[0] === upper[0])) &&
        distance(upper, other) <= nearlyAtMost,
    );
    return near === undefined || isSet(near) || isSet(`${near}_FILE`) ? [] : [{ name, meant: near }];
  });
}

/** `X_SERVICE_HOST`, `X_PORT=tcp://…`, `X_PORT_8787_TCP_ADDR`, and of Docker's links `X_NAME` and `X_ENV_…` beside them. */
function isInjected(name: string, env: Environment): boolean {
  if (/_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name))
    return true;
  const service = /^(\w+?)_(PORT|NAME|ENV_\w+)$/.exec(name)?.[1];
  return service !== undefined && /^(tcp|udp|sctp):\/\//.test(env[`${service}_PORT`] ?? '');
}

/** What begins with the name or is begun by it comes first, then what is fewest letters away. */
function nearest(name: string, known: ReadonlySet<string>): string | null {
  const begun = [...known].filter((other) => other.startsWith(`${name}_`) || name.startsWith(`${other}_`));
  const candidates = begun.length > 0 ? begun : [...known];
  const [best] = candidates
    .map((other) => ({ other, away: distance(name, other) }))
    .sort((a, b) => a.away - b.away);
  if (best === undefined) return null;
  return begun.length > 0 || best.away <= Math.max(nearlyAtMost, Math.floor(name.length / 4))
    ? best.other
    : null;
}

/** Levenshtein's: letters to add, take away or change. */
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
