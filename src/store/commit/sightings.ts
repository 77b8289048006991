// From pages to what was seen of each record, in the order of the requests. A list that shifts while it is read, or repeats
// itself, shows a record more than once; committing pages together must give the same as committing them one by one.

import type { Resource } from '../../domain/jobs.ts';
import type { DecodedItem, Page } from '../../domain/page.ts';
import type { Anomaly } from '../run/anomalies.ts';
import type { UndecodableObservation } from '../run/quarantine.ts';
import { type Micros, toMicros } from '../values/micros.ts';

/** One record in one answer. */
export interface Sighting<Record_> {
  readonly item: DecodedItem<Record_>;
  readonly beganAt: Micros;
  readonly arrivedAt: Micros;
}

export interface SettledPages<Record_> {
  /** By key. Each list is in the order of the requests; each request began after the one before it was answered. */
  readonly records: ReadonlyMap<string, readonly [Sighting<Record_>, ...Sighting<Record_>[]]>;
  readonly undecodable: readonly UndecodableObservation[];
  /** Keys that one page held twice with different content. */
  readonly contradicted: readonly string[];
  /** Items received. */
  readonly read: number;
  /** Items with the same content as another one. */
  readonly repeated: number;
  /** Items that were set aside, because another answer or item of the same time had other content. */
  readonly setAside: number;
}

export function settlePages<Record_>(pages: readonly Page<Record_>[]): SettledPages<Record_> {
  const inOrder = [...pages].sort((a, b) => a.beganAt - b.beganAt);
  const seen = new Map<string, [Sighting<Record_>, ...Sighting<Record_>[]]>();
  const undecodable: UndecodableObservation[] = [];
  const contradicted = new Set<string>();
  let read = 0;
  let repeated = 0;
  let setAside = 0;
  for (const page of inOrder) {
    const beganAt = toMicros(page.beganAt);
    const arrivedAt = toMicros(page.arrivedAt);
    const ofThisPage = new Set<string>();
    for (const item of page.items) {
      read += 1;
      if (item.kind === 'undecodable') {
        undecodable.push({ item, arrivedAt });
        continue;
      }
      const sighting = { item, beganAt, arrivedAt };
      const before = seen.get(item.key);
      if (before === undefined) seen.set(item.key, [sighting]);
      else if (!ofThisPage.has(item.key)) before.push(sighting);
      else {
        const last = before[before.length - 1];
        if (last === undefined || last.item.hash === item.hash) {
          repeated += 1;
        } else {
          // The choice does not depend on the order of the list, so that the record does not change with each reading.
          contradicted.add(item.key);
          setAside += 1;
          if (item.hash > last.item.hash) before[before.length - 1] = sighting;
        }
      }
      ofThisPage.add(item.key);
    }
  }
  for (const [key, sightings] of seen) {
    if (sightings.length === 1) continue;
    const settled = inSequence(sightings);
    repeated += settled.repeated;
    setAside += settled.setAside;
    seen.set(key, settled.sightings);
  }
  return { records: seen, undecodable, contradicted: [...contradicted], read, repeated, setAside };
}

/** The anomalies of the keys that one page held twice with different content. The prefix is part of their subjects. */
export function duplicateIds(
  { contradicted }: Pick<SettledPages<unknown>, 'contradicted'>,
  resource: Resource,
  prefix = '',
): readonly Anomaly[] {
  const details = { meaning: 'one answer held the same identifier twice with different content' };
  return contradicted.map((key) => ({
    kind: 'duplicate-id',
    resource,
    resourceId: `${prefix}${key}`,
    details,
  }));
}

/** Keeps the last sighting, and each earlier one that had arrived before the next one was asked for. */
function inSequence<Record_>(sightings: readonly [Sighting<Record_>, ...Sighting<Record_>[]]) {
  let next = sightings[sightings.length - 1] ?? sightings[0];
  const kept: [Sighting<Record_>, ...Sighting<Record_>[]] = [next];
  let repeated = 0;
  let setAside = 0;
  for (let i = sightings.length - 2; i >= 0; i -= 1) {
    const earlier = sightings[i];
    if (earlier === undefined) continue;
    if (earlier.arrivedAt <= next.beganAt) {
      kept.unshift(earlier);
      next = earlier;
    } else if (earlier.item.hash === next.item.hash) repeated += 1;
    else setAside += 1;
  }
  return { sightings: kept, repeated, setAside };
}
