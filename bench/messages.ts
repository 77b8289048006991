// The messages between the processes of the bench. The receiver checks them.
import { z } from 'zod';

const amount = z.number().nonnegative();

export const sandboxStarted = z.object({ url: z.string(), apiKey: z.string() });
export type SandboxStarted = z.infer<typeof sandboxStarted>;

export const sandboxUsed = z.object({ cpuSeconds: amount, requests: amount });
export type SandboxUsed = z.infer<typeof sandboxUsed>;

export const mirrorReady = z.literal('ready');

export const statementCost = z.object({ statement: z.string(), count: amount, seconds: amount });
export type StatementCost = z.infer<typeof statementCost>;

export const mirrorReport = z.object({
  /** From the request for the lease to the recorded end of the run. */
  seconds: amount,
  /** Processor time within those seconds. */
  cpuSeconds: amount,
  /** Of the process since its start. */
  peakRssBytes: amount,
  records: amount,
  inserted: amount,
  changed: amount,
  requests: amount,
  verified: z.boolean().nullable(),
  fault: z.string().nullable(),
  statements: z.array(statementCost),
});
export type MirrorReport = z.infer<typeof mirrorReport>;

export const apiStarted = z.object({ url: z.string() });
export type ApiStarted = z.infer<typeof apiStarted>;

export const apiUsed = z.object({ peakRssBytes: amount });
export type ApiUsed = z.infer<typeof apiUsed>;

export const fleetStarted = z.array(sandboxStarted);

export const fleetSandboxesUsed = z.object({
  requests: amount,
  /** The most requests within a second. */
  peak: amount,
});
export type FleetSandboxesUsed = z.infer<typeof fleetSandboxesUsed>;

/** The transactions of one account. */
export const world = z.object({ transactions: amount, digest: z.string() });
export type World = z.infer<typeof world>;
