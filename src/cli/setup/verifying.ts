// The keys that seal and verify, and what SCHEDULE_VERIFY runs: `verify` of the account's history while the
// daemon works. What it finds is recorded for health, and fails, so that this process says so whatever
// becomes of the record.
import type { SealConfig } from '../../base/config/config.ts';
import { stallLimitMs, unlessStalled } from '../../base/stall.ts';
import { MirrorError } from '../../domain/errors.ts';
import { readSigner, readVerifier, type Verifier } from '../../seal/note.ts';
import type { Sealing } from '../../seal/seal.ts';
import { verifyHistory } from '../../seal/verify.ts';
import { readSealed, saveVerification } from '../../store/run/verifications.ts';
import type { JobContext } from '../../sync/run/context.ts';
import { findingInWords } from '../text/seal-text.ts';

/**
 * What was configured; undefined where nothing is sealed.
 *
 * @throws MirrorError `CONFIGURATION` when it is no key that `seal init` made
 */
export function sealingOf({ key, checkpointsFile }: SealConfig): Sealing | undefined {
  if (key === null) return undefined;
  const signer = readSigner(key.reveal());
  if (signer !== null) return { signer, checkpointsFile };
  throw new MirrorError(
    'CONFIGURATION',
    'SEAL_KEY or SEAL_KEY_FILE: is no private key of Ed25519 as `seal init` makes it',
  );
}

/**
 * The keys that verify: that which signs, and those of SEAL_VERIFIER_KEYS.
 *
 * @throws MirrorError `CONFIGURATION` if one is no key
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

/**
 * @param pause awaited after some rows
 * @throws MirrorError `HISTORY-ALTERED`; as `verifyHistory`; `JOB-STALLED`; those of the fence
 */
export function verifierOf({ checkpointsFile }: Sealing, verifiers: readonly Verifier[]) {
  return async (context: JobContext, pause: () => Promise<void>): Promise<void> => {
    const { database, lease, logger } = context;
    const { account } = lease;
    if ((await readOneSealed(context)) === null) return;
    let steps = 0;
    const onProgress = async () => {
      steps += 1;
      await pause();
    };
    const limits = { name: 'verifying', limitMs: stallLimitMs(), progress: () => steps };
    const { finding, upTo } = await unlessStalled(limits, context.signal, (signal) =>
      verifyHistory({ database, account, verifiers, checkpointsFile, signal, onProgress }),
    );
    const found = finding === null ? null : findingInWords(finding);
    const rows = upTo?.size ?? 0;
    await saveVerification(database, lease, { treeSize: rows, finding: found });
    if (found !== null) throw new MirrorError('HISTORY-ALTERED', `The sealed history was altered: ${found}`);
    logger.info({ account, rows }, 'sealed history verified');
  };
}

async function readOneSealed({ database, lease }: JobContext) {
  return await database.transact('verify.sealed', (tx) => readSealed(tx, lease.account), { readOnly: true });
}
