import { account, epoch } from '../support/store.ts';
import { type Listed, type Step, takes, type Wire } from './destination-past.ts';

export interface Reading {
  readonly began: number;
  readonly arrived: number;
  readonly whole: boolean;
  readonly listed: ReadonlyMap<string, Listed>;
}

/** A payment was made after `after`, or at any time before, and not after `at`. */
export interface Payment {
  readonly after: number;
  readonly at: number;
}

const lower = (address: string | null) =>
  address !== null && /^0x/.test(address) ? address.toLowerCase() : address;

const perhaps = 'perhaps';

type NamedBy = (wire: Wire, reading: Reading) => ReadonlyMap<string, string>;

/**
 * By which entries of a reading a payment may be allowed, and as what: the same entry as something else is
 * not the same.
 */
const allowedBy: NamedBy = (wire, reading) =>
  namedBy(wire, reading, (asset) => asset === null || asset === wire.asset);

/** Which entries name its destination for another asset. */
const elsewhereBy: NamedBy = (wire, reading) =>
  namedBy(wire, reading, (asset) => asset !== null && asset !== wire.asset);

function namedBy(wire: Wire, { listed: entries }: Reading, isFor: (asset: string | null) => boolean) {
  const found = new Map<string, string>();
  const { type, id, address } = wire.destination;
  for (const { entry, address: listedAddress, asset } of entries.values()) {
    if (!isFor(asset)) continue;
    if (type === 'whitelist' && id === entry) found.set(`entry ${entry}`, `${asset}`);
    if (address && lower(address) === lower(listedAddress))
      found.set(`address ${entry}`, `${asset} ${lower(listedAddress)}`);
    // The same but for the case of letters, in a form of which nobody knows whether case counts.
    else if (address && address.toLowerCase() === listedAddress?.toLowerCase())
      found.set(`${perhaps} ${entry}`, `${asset} ${listedAddress}`);
  }
  return found;
}

/** True or false where the readings prove it for every moment at which the payment can have been made. */
function isAllowed(wire: Wire, payment: Payment, readings: readonly Reading[]): boolean | null {
  const { possible, certain } = heldBy(allowedBy, wire, payment, readings);
  if (isCovered(certain, payment)) return true;
  const whole = readings.filter((reading) => reading.whole);
  const [begins, ends] = [whole[0]?.arrived ?? Number.POSITIVE_INFINITY, whole.at(-1)?.began ?? 0];
  return !possible && begins <= payment.after && payment.at <= ends ? false : null;
}

/** As the table of docs/data.md has it: an entry for another asset that may have been held is named. */
function reasonOf(wire: Wire, payment: Payment, readings: readonly Reading[]): string {
  const allowed = isAllowed(wire, payment, readings);
  if (allowed === null) return 'unknown';
  if (allowed) return 'listed';
  const { possible } = heldBy(elsewhereBy, wire, payment, readings);
  return possible ? 'listed for another asset or network' : 'not listed';
}

/** When entries were certainly held, and whether one may have been at some moment of the payment. */
function heldBy(named: NamedBy, wire: Wire, { after, at }: Payment, readings: readonly Reading[]) {
  const keys = new Set(readings.flatMap((reading) => [...named(wire, reading).keys()]));
  let possible = false;
  const certain: (readonly [from: number, to: number])[] = [];
  for (const key of keys) {
    const entry = key.slice(key.indexOf(' ') + 1);
    // A reading that was not whole and does not show the entry says nothing of it.
    const telling = readings.filter(({ whole, listed: entries }) => whole || entries.has(entry));
    for (const [first, reading] of telling.entries()) {
      const as = named(wire, reading).get(key);
      if (as === undefined) continue;
      let end = first;
      while (end < telling.length && named(wire, telling[end] ?? reading).get(key) === as) end += 1;
      const lastWhole = telling.slice(first, end).findLast(({ whole }) => whole);
      // Any reading that shows the entry changed, and still as this, shows it there.
      const run = telling.slice(first, end);
      const textOf = (one: Reading | undefined) => JSON.stringify(one?.listed.get(entry));
      const changed = run.filter((one, index) => index > 0 && textOf(one) !== textOf(run[index - 1]));
      const until = [...changed.map(({ arrived }) => arrived), lastWhole?.began ?? -1];
      if (!key.startsWith(perhaps)) certain.push([reading.arrived, Math.max(...until)]);
      const wholeBefore = readings.findLast(({ whole, began }) => whole && began < reading.began);
      const notBefore = wholeBefore?.began ?? Number.NEGATIVE_INFINITY;
      const notAfter = telling[end]?.arrived ?? Number.POSITIVE_INFINITY;
      if (at > notBefore && after < notAfter) possible = true;
    }
  }
  return { possible, certain };
}

/** Whether at every moment of the payment one of the spans holds: one entry may take over from another. */
function isCovered(spans: readonly (readonly [from: number, to: number])[], { after, at }: Payment): boolean {
  let reached: number | null = null;
  for (const [from, to] of spans.filter(([start, end]) => start <= end).toSorted((a, b) => a[0] - b[0]))
    if (from <= Math.max(reached ?? after, after)) reached = Math.max(reached ?? from, to);
  return reached !== null && reached >= at;
}

export interface Use {
  readonly wire: Wire;
  readonly payment: Payment;
  readonly missing: boolean;
}

/** What was read, step by step. */
function told(past: readonly Step[]) {
  const uses = new Map<string, Use>();
  const readings: Reading[] = [];
  let verifiedAt = Number.NEGATIVE_INFINITY;
  for (const [index, step] of past.entries()) {
    const [began, arrived] = [index * takes * 2, index * takes * 2 + takes / 2];
    if (step.kind === 'whitelist') {
      const entries = new Map(step.listed.map((one) => [one.entry, one]));
      readings.push({ began, arrived, whole: step.whole, listed: entries });
    } else if (step.kind === 'missing') {
      const use = uses.get(step.id);
      if (use !== undefined) uses.set(step.id, { ...use, missing: true });
    } else {
      for (const wire of step.records) {
        const payment = uses.get(wire.id)?.payment ?? { after: verifiedAt, at: arrived };
        uses.set(wire.id, { wire, payment, missing: false });
      }
      if (step.verified) verifiedAt = began;
    }
  }
  const withdrawals = [...uses.values()].filter(({ wire }) => wire.type === 'withdraw');
  return { withdrawals, readings };
}

export function expected(past: readonly Step[]) {
  const { withdrawals, readings } = told(past);
  const groups = new Map<string, Use[]>();
  for (const use of withdrawals) {
    const key = JSON.stringify([use.wire.destination, use.wire.asset]);
    groups.set(key, [...(groups.get(key) ?? []), use]);
  }
  const isRead = readings.some(({ whole }) => whole);
  const rows = [...groups.values()].map((group) => {
    const inOrder = group.toSorted((a, b) => a.payment.at - b.payment.at || (a.wire.id < b.wire.id ? -1 : 1));
    const [first, last] = [inOrder[0], inOrder.at(-1)];
    if (first === undefined || last === undefined) throw new Error('a group is never empty');
    const completed = group.filter(({ wire }) => wire.status === 'completed');
    const sum = completed.reduce((total, { wire }) => total + Number(wire.amount), 0);
    const then = group.map(({ wire, payment }) => isAllowed(wire, payment, readings));
    const { type, id, address } = first.wire.destination;
    return {
      account_id: account,
      destination_type: type,
      destination_id: id,
      destination_address: address,
      asset_id: first.wire.asset,
      network_id: `${first.wire.asset} network`,
      uses: String(group.length),
      completed_uses: String(completed.length),
      completed_amount: completed.some(({ wire }) => wire.amount === null) ? null : String(sum),
      missing_uses: String(group.filter(({ missing }) => missing).length),
      non_whitelisted_uses: isRead ? String(then.filter((one) => one === false).length) : null,
      unknown_whitelist_uses: String(then.filter((one) => one === null).length),
      first_used_at: new Date(epoch + first.payment.at),
      first_transaction_id: first.wire.id,
      last_used_at: new Date(epoch + last.payment.at),
      last_transaction_id: last.wire.id,
      whitelisted_at_first_use: isAllowed(first.wire, first.payment, readings),
      whitelisted_now: nowListed(first.wire, readings, isRead),
    };
  });
  const single = withdrawals.map(({ wire, payment }) => ({
    transaction_id: wire.id,
    is_completed: wire.status === 'completed',
    is_whitelisted: isAllowed(wire, payment, readings),
    reason: reasonOf(wire, payment, readings),
  }));
  return { rows, single };
}

/** As each entry was shown last; one that the last whole reading does not show is gone. */
function nowListed(wire: Wire, readings: readonly Reading[], isRead: boolean): boolean | null {
  const lastWhole = readings.findLastIndex(({ whole }) => whole);
  const shownSince = readings.slice(Math.max(0, lastWhole)).map(({ listed: entries }) => [...entries]);
  const last: Reading = { began: 0, arrived: 0, whole: true, listed: new Map(shownSince.flat()) };
  const by = [...allowedBy(wire, last).keys()];
  if (by.some((key) => !key.startsWith(perhaps))) return true;
  return isRead && by.length === 0 ? false : null;
}
