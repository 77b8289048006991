// Finds the list in the body of an answer whose envelope is documented (docs/custody-service.md 2.1 and 2.6).
import { isObject } from './exact-json.ts';
import type { Tolerance } from './tolerance.ts';

/**
 * The list: the member `name` of the body, or a bare array. A single record in the place of the list counts
 * as a list of one.
 *
 * @returns undefined when the body has no such member; null when the member, or the body, is something else
 */
export function findList(
  body: unknown,
  name: string,
  { tolerate }: Tolerance,
): readonly unknown[] | null | undefined {
  if (Array.isArray(body)) {
    tolerate('list-bare');
    return body;
  }
  if (!isObject(body)) return null;
  const list: unknown = Object.hasOwn(body, name) ? body[name] : undefined;
  if (list === undefined || Array.isArray(list)) return list;
  if (!isObject(list)) return null;
  tolerate('list-single');
  return [list];
}
