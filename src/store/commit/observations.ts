// From pages to the observations of each record, in the order of the requests. A list that shifts while it is
// read, or repeats itself, shows a record more than once; committing pages together must give the same as
// committing them one by one.

import type { Resource } from '../../domain/jobs.ts';
import type { DecodedItem, Page } from '../../domain/page.ts';
import type { Anomaly } from '../run/anomalies.ts';
import type { UndecodableObservation } from '../run/quarantine.ts';
import { type Micros, toMicros } from '../values/micros.ts';

/** One record in one answer. */
export interface RecordObservation<Record_> {
  readonly item: DecodedItem<Record_>;
  readonly beganAt: Micros;
  readonly arrivedAt: Micros;
}

/** Of one record, in the order of the requests. */
type Observations<Record_> = [RecordObservation<Record_>, ...RecordObservation<Record_>[]];

export interface MergedPages<Record_> {
  /** By key; each request began after the one before it was answered. */
  readonly records: ReadonlyMap<string, Readonly<Observations<Record_>>>;
  readonly undecodable: readonly UndecodableObservation[];
  /** Keys that one page held twice with different content, and the content that is not kept. */
  readonly contradicted: ReadonlyMap<string, Record_>;
  /** Items received. */
  readonly read: number;
  /** Items with the same content as another one. */
  readonly repeated: number;
  /** Items that do not count, because another answer or item of the same time had other content. */
  readonly superseded: number;
}

export function mergeObservations<Record_>(pages: readonly Page<Record_>[]): MergedPages<Record_> {
  const inOrder = [...pages].sort((a, b) => a.beganAt - b.beganAt);
  const byKey = new Map<string, Observations<Record_>>();
  const undecodable: UndecodableObservation[] = [];
  const contradicted = new Map<string, Record_>();
  let read = 0;
  let repeated = 0;
  let superseded = 0;
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
      const observation = { item, beganAt, arrivedAt };
      const before = byKey.get(item.key);
      if (before === undefined) byKey.set(item.key, [observation]);
      else if (!ofThisPage.has(item.key)) before.push(observation);
      else {
        const last = before[before.length - 1];
        if (last === undefined || last.item.hash === item.hash) {
          repeated += 1;
        } else {
          // The choice does not depend on the order of the list, so that the record does not change with each
          // reading.
          const isKept = item.hash > last.item.hash;
          contradicted.set(item.key, (isKept ? last.item : item).record);
          superseded += 1;
          if (isKept) before[before.length - 1] = observation;
        }
      }
      ofThisPage.add(item.key);
    }
  }
  for (const [key, observations] of byKey) {
    if (observations.length === 1) continue;
    const merged = inSequence(observations);
    repeated += merged.repeated;
    superseded += merged.superseded;
    byKey.set(key, merged.observations);
  }
  return { records: byKey, undecodable, contradicted, read, repeated, superseded };
}

/**
 * The anomalies of the keys that one page held twice with different content. The prefix is part of their
 * subjects.
 */
export function duplicateIds(
  {
    contradicted,
  }: Pick<MergedPages<{ readonly raw: string } | { readonly document: string }>, 'contradicted'>,
  resource: Resource,
  prefix = '',
): readonly Anomaly[] {
  const meaning = 'one answer held the same identifier twice with different content; not_kept is one of them';
  return [...contradicted].map(([key, record]) => ({
    kind: 'duplicate-id',
    resource,
    resourceId: `${prefix}${key}`,
    details: { meaning, not_kept: 'raw' in record ? record.raw : record.document },
  }));
}

/** Keeps the last observation, and each earlier one that had arrived before the next one was asked for. */
function inSequence<Record_>(observations: Readonly<Observations<Record_>>) {
  let next = observations[observations.length - 1] ?? observations[0];
  const kept: Observations<Record_> = [next];
  let repeated = 0;
  let superseded = 0;
  for (let i = observations.length - 2; i >= 0; i -= 1) {
    const earlier = observations[i];
    if (earlier === undefined) continue;
    if (earlier.arrivedAt <= next.beganAt) {
      kept.unshift(earlier);
      next = earlier;
    } else if (earlier.item.hash === next.item.hash) repeated += 1;
    else superseded += 1;
  }
  return { observations: kept, repeated, superseded };
}
