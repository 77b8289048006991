// Identifiers as parts of a path. Addresses drop the parts `.` and `..`, encoded or not, so these two get a
// tilde in front, and so does any text that would be read as one of them.

/** The part of a path that stands for the identifier. */
export function pathSegment(id: string): string {
  return encodeURIComponent(/^~*\.{1,2}$/.test(id) ? `~${id}` : id);
}

/** The identifier for which a decoded part of a path stands. */
export function idOfSegment(segment: string): string {
  return segment.replace(/^~(?=~*\.{1,2}$)/, '');
}
