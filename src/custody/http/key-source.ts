// The key to send: the configured one until the service refuses it, then whatever its file holds, so that a key is changed
// without a restart. The file is read again only after a refusal: before, it may be half written and the old key still good.
import { readFileSync } from 'node:fs';
import type { CustodyConfig } from '../../base/config.ts';
import { headerValue } from '../../base/config-options.ts';
import type { Logger } from '../../base/logger.ts';
import { Secret } from '../../base/secret.ts';

export interface KeySource {
  /** The key to use now. */
  current(): Secret;
  /** Every key there was, so that none of them is shown. */
  known(): readonly Secret[];
  /** The service refused the key (interface.md 5, ERR-02). */
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
      return; // being replaced, or gone: the old key goes on being tried, slowly
    }
    if (text === used || 'fault' in headerValue(text)) return;
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
