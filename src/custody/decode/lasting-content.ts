// What of a record without an id stays the same from one answer to the next, so that it is known again: the documented
// fields that tell one record from another. A field that nobody documented may change with every request, as the
// documented `timestamp` does; a record known by it would be another record each time it is read.
import { isObject } from './content.ts';

/** The value with only the lasting fields, at any depth; where they say nothing, everything but fields named `timestamp`. */
export function lastingContent(value: unknown, lastingFields: ReadonlySet<string>): unknown {
  const lasting = isObject(value) ? withFields(value, (name) => lastingFields.has(name)) : null;
  return saysSomething(lasting) ? lasting : withFields(value, (name) => name !== 'timestamp');
}

function withFields(value: unknown, isKept: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => withFields(element, isKept));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => isKept(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withFields(member, isKept)]));
}

function saysSomething(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(saysSomething);
  return value !== null && value !== '';
}
