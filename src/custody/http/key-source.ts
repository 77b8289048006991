// The key to send. After a refusal its file is read again, so the key can be rotated without a restart.
// Before a refusal the file is not read: it may be half written, and the old key still works.
import { readFileSync } from 'node:fs';
import type { CustodyConfig } from '../../base/config/config.ts';
import { headerValue } from '../../base/config/options.ts';
import type { Logger } from '../../base/logger.ts';
import { Secret } from '../../base/secret.ts';

export interface KeySource {
  /** The key to use now. */
  current(): Secret;
  /** Every key since startup, so that none of them is ever shown. */
  known(): readonly Secret[];
  /** The service refused the key (docs/custody-service.md 5, ERR-02). */
  refused(key: Secret): void;
}

export function createKeySource({ key, keyFile }: CustodyConfig, logger: Logger): KeySource {
  const keys: [Secret, ...Secret[]] = [key];
  let refusedKey: string | null = null;

  const readAgain = (path: string, used: string): void => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8').trim();
    } catch {
      return; // The file is missing, or is being replaced: keep the old key.
    }
    if (text === used || !headerValue.safeParse(text).success) return;
    keys.unshift(new Secret(text));
    logger.info({ variable: 'CUSTODY_API_KEY_FILE' }, 'key was read again from its file');
  };

  return {
    current() {
      const used = keys[0].reveal();
      if (keyFile !== null && refusedKey === used) readAgain(keyFile, used);
      return keys[0];
    },
    known: () => keys,
    refused(refused) {
      refusedKey = refused.reveal();
    },
  };
}
