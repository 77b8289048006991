// What a bench says to options that it does not know, and to whoever asks for them.

/** Ends the process with its usage. */
export function refuse(usage: string): never {
  tellUsage(`usage: npm run ${usage}`);
  console.error(`usage: npm run ${usage}`);
  process.exit(2);
}

/** Ends the process where `--help` asks for the usage. */
export function tellUsage(usage: string): void {
  if (!process.argv.includes('--help')) return;
  console.log(usage);
  process.exit(0);
}
