// Where libfaketime is, which tells a process another time than the machine's.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const howToGetFaketime = 'on Debian: apt-get install libfaketime';

/** The library for programs of several threads, or null where there is none. */
export function findFaketime() {
  const multiarch = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name))
    : [];
  const directories = [...multiarch, '/usr/lib64', '/usr/local/lib'];
  return (
    directories
      .map((directory) => join(directory, 'faketime', 'libfaketimeMT.so.1'))
      .find((path) => existsSync(path)) ?? null
  );
}
