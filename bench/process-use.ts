// What one process used, read from /proc, which Linux alone has.
import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of all threads there are, in milliseconds. */
export function processorMs(pid: number | undefined): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ns = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return ns.reduce((sum, one) => sum + one, 0) / 1e6;
}

export interface Memory {
  readonly ownMiB: number;
  /** Files and memory that several processes have in common are divided among them. */
  readonly shareMiB: number;
  readonly residentMiB: number;
  readonly peakMiB: number;
}

export function memory(pid: number | undefined): Memory {
  const mebibytes = (file: string, name: string) => {
    const [, kibibytes] =
      new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? [];
    return Number(kibibytes) / 1024;
  };
  return {
    ownMiB: mebibytes('smaps_rollup', 'Anonymous'),
    shareMiB: mebibytes('smaps_rollup', 'Pss'),
    residentMiB: mebibytes('smaps_rollup', 'Rss'),
    peakMiB: mebibytes('status', 'VmHWM'),
  };
}

/** The same, or null when the process has ended meanwhile. */
export function memoryIfRunning(pid: number): Memory | null {
  try {
    return memory(pid);
  } catch {
    return null;
  }
}
