// What SCHEDULE_VERIFY runs: `verify` of the account's history while the daemon works. What it finds is
// recorded for health; that it could not verify is an error, and no finding.
import { stallLimitMs, unlessStalled } from '../../base/stall.ts';
import { readVerifier } from '../../seal/note.ts';
import type { Sealing } from '../../seal/seal.ts';
import { verifyHistory } from '../../seal/verify.ts';
import { saveVerification } from '../../store/run/verifications.ts';
import type { JobContext } from '../../sync/run/context.ts';
import { findingInWords } from '../text/seal-text.ts';

/**
 * @param pause awaited after some rows
 * @throws MirrorError as `verifyHistory`; `JOB-STALLED`; those of the fence
 */
export function verifierOf({ signer, checkpointsFile }: Sealing) {
  const verifier = readVerifier(signer.verifierKey);
  if (verifier === null) throw new TypeError('the key of a signer verifies');
  return async (context: JobContext, pause: () => Promise<void>): Promise<void> => {
    const { database, lease, logger } = context;
    const { account } = lease;
    let steps = 0;
    const onProgress = async () => {
      steps += 1;
      await pause();
    };
    const limits = { name: 'verifying', limitMs: stallLimitMs(), progress: () => steps };
    const { finding, upTo } = await unlessStalled(limits, context.signal, (signal) =>
      verifyHistory({ database, account, verifiers: [verifier], checkpointsFile, signal, onProgress }),
    );
    const found = finding === null ? null : findingInWords(finding);
    await saveVerification(database, lease, { treeSize: upTo?.size ?? 0, finding: found });
    if (found === null) logger.info({ account, rows: upTo?.size ?? 0 }, 'sealed history verified');
    else logger.error({ account, finding: found }, 'sealed history was altered');
  };
}
