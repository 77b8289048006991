// The keys that seal and verify, and what SCHEDULE_VERIFY runs: `verify` of the account's history while the
// daemon works. A finding is recorded for health, and fails, so that this process reports it whatever becomes
// of the record.
import { statSync } from 'node:fs';
import type { SealConfig } from '../../base/config/config.ts';
import type { ConfigSources } from '../../base/config/reader.ts';
import type { Logger } from '../../base/logger.ts';
import { stallLimitMs, unlessStalled } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import { readSigner, readVerifier, type Verifier } from '../../seal/note.ts';
import type { Sealing } from '../../seal/seal.ts';
import { type SealVerdict, type VerifyOptions, verifyHistory } from '../../seal/verify.ts';
import { guardDatabase } from '../../store/postgres/database.ts';
import { isSealed, saveVerification } from '../../store/run/verifications.ts';
import type { JobContext } from '../../sync/run/context.ts';
import { findingInWords } from '../text/seal-text.ts';
import { limitHeapGrowth } from './process-limits.ts';

/**
 * The configured sealing; undefined where nothing is sealed.
 *
 * @throws MirrorError `CONFIGURATION` when it is not a key that `seal init` made
 */
export function sealingOf({ key, checkpointsFile, verifierKeys }: SealConfig): Sealing | undefined {
  if (key === null) return undefined;
  const signer = readSigner(key.reveal());
  const earlier = readVerifiers('SEAL_VERIFIER_KEYS', verifierKeys);
  if (signer !== null) return { signer, earlier, checkpointsFile };
  throw new MirrorError(
    'CONFIGURATION',
    'SEAL_KEY or SEAL_KEY_FILE: is not an Ed25519 private key as `seal init` creates it',
  );
}

/** Null if nobody else may read or change the file of the key, or if it is another user's. */
export function exposedKey({ env }: Pick<ConfigSources, 'env'>) {
  const path = env['SEAL_KEY_FILE']?.trim() || null;
  try {
    const file = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
    // Another user's, as of the host of a container, is not this one's to close. Windows has no modes.
    const isOwn = process.platform !== 'win32' && file?.uid === process.getuid?.();
    if (!isOwn || ((file?.mode ?? 0) & 0o077) === 0) return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return { problem: `it is unknown who may read the private key (${why})`, fix: `ls -l ${path}` };
  }
  return {
    problem: 'others may read or change the private key, and sign another history',
    fix: `chmod 600 ${path}`,
  };
}

export function warnOfExposedKey(sources: ConfigSources, logger: Logger): void {
  const exposed = exposedKey(sources);
  if (exposed !== null) logger.warn({ fix: exposed.fix }, `SEAL_KEY_FILE: ${exposed.problem}`);
}

/**
 * The keys that verify: the one that signs, and those of SEAL_VERIFIER_KEYS.
 *
 * @throws MirrorError `CONFIGURATION` if one is not a key
 */
export function verifiersOf(config: SealConfig): readonly Verifier[] {
  const signer = sealingOf(config)?.signer;
  return [
    ...(signer === undefined ? [] : [signer]),
    ...readVerifiers('SEAL_VERIFIER_KEYS', config.verifierKeys),
  ];
}

export function readVerifiers(from: string, keys: readonly string[]): readonly Verifier[] {
  return keys.map((key) => {
    const verifier = readVerifier(key);
    if (verifier !== null) return verifier;
    throw new MirrorError(
      'CONFIGURATION',
      `${from}: is not an Ed25519 verifier key as \`seal init\` prints it`,
    );
  });
}

/** In little memory: much is alive while a long history is read, and as much garbage would gather. */
export async function verifyInLittle(options: VerifyOptions): Promise<SealVerdict> {
  limitHeapGrowth(30);
  return await verifyHistory(options).finally(() => limitHeapGrowth());
}

/**
 * @param stalledAfterMs how long it may make no progress, in milliseconds
 * @throws MirrorError `HISTORY-ALTERED`; as `verifyHistory`; `JOB-STALLED`; those of the fence
 */
export function verifierOf(
  { checkpointsFile }: Sealing,
  verifiers: readonly Verifier[],
  stalledAfterMs = stallLimitMs(),
) {
  return async (context: JobContext): Promise<void> => {
    const { database, lease, logger } = context;
    const { account } = lease;
    if (!(await isSealed(database, account))) return;
    let steps = 0;
    const onProgress = () => {
      steps += 1;
    };
    const limits = { name: 'verifying', limitMs: stalledAfterMs, progress: () => steps };
    const { found, rows } = await unlessStalled(limits, context.signal, async (signal, abandoned) => {
      // Each statement is progress: naming a finding may read all of a long history once more.
      const guarded = guardDatabase(database, abandoned, onProgress);
      const options = { database: guarded, account, verifiers, checkpointsFile, signal, onProgress };
      const { finding, upTo } = await verifyInLittle({ ...options, isWritten: true });
      const verdict = { found: finding && findingInWords(finding), rows: upTo?.size ?? 0 };
      await saveVerification(guarded, lease, { treeSize: verdict.rows, finding: verdict.found });
      return verdict;
    });
    if (found !== null) throw new MirrorError('HISTORY-ALTERED', `The sealed history was altered: ${found}`);
    logger.info({ account, rows }, 'sealed history verified');
  };
}
