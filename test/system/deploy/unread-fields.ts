// Fields that a validator never looks at are fields that its schema does not know: Kubernetes would refuse or
// forget them. The generated validators tell wrong values but not unknown names, so they are watched while
// they read.

/** The paths of all fields below `document` that `read` does not touch. */
export function unreadFields<Document extends object>(
  document: Document,
  read: (watched: Document) => unknown,
): readonly string[] {
  const touched = new Map<object, Set<string>>();
  const watch = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get(target, name, receiver) {
        touched.set(target, (touched.get(target) ?? new Set()).add(String(name)));
        const found: unknown = Reflect.get(target, name, receiver);
        return typeof found === 'object' && found !== null ? watch(found) : found;
      },
    });
  try {
    read(watch(document));
  } catch {
    // Wrong values are for others to tell.
  }
  const unread = (value: object, path: string): readonly string[] =>
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const here = path === '' ? name : `${path}.${name}`;
      if (!touched.get(value)?.has(name)) return [here];
      return typeof member === 'object' && member !== null ? unread(member, here) : [];
    });
  return unread(document, '');
}
