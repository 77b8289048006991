// The packages of package-lock.json that are installed along with the program: what its own dependencies
// reach. Those of a workspace that ships apart, such as packages/mcp, are none of them.

interface Needs {
  readonly dependencies?: Readonly<Record<string, string>> | undefined;
  readonly optionalDependencies?: Readonly<Record<string, string>> | undefined;
}

/** @returns their paths in the lock file */
export function shippedPackages(packages: Readonly<Record<string, Needs>>): readonly string[] {
  const found = new Set<string>();
  const follow = (path: string) => {
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const at = resolve(path, name);
      if (at === undefined || found.has(at)) continue;
      found.add(at);
      follow(at);
    }
  };
  // As Node.js looks a package up: in the folder itself, then in those around it.
  const resolve = (path: string, name: string): string | undefined => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const at = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      if (at in packages) return at;
      if (folder === '') return undefined;
    }
  };
  follow('');
  return [...found];
}
