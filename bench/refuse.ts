// What a bench says to options that it does not know.

/** Ends the process with its usage. */
export function refuse(usage: string): never {
  console.error(`usage: npm run ${usage}`);
  process.exit(2);
}
