// The part of a record without an id by which it is recognised in the next answer: its documented, lasting
// fields. An undocumented field may change with every request, as `timestamp` does, and would make a new
// record of it each time.
import { isObject } from './content.ts';

/**
 * The value with its lasting fields only, at any depth; if they are all empty, with every field but
 * `timestamp`.
 */
export function lastingContent(value: unknown, lastingFields: ReadonlySet<string>): unknown {
  const lasting = isObject(value) ? withFields(value, (name) => lastingFields.has(name)) : null;
  return hasContent(lasting) ? lasting : withFields(value, (name) => name !== 'timestamp');
}

function withFields(value: unknown, isKept: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => withFields(element, isKept));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => isKept(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withFields(member, isKept)]));
}

function hasContent(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasContent);
  return value !== null && value !== '';
}
