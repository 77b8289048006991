// Waits for everything that was begun before it reports the first failure: nothing goes on unwatched.

/** Like Promise.all, but rejects only after every promise has settled, with the first error in order. */
export async function allTogether<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
