// What the demo's mirror was shown at one moment of its history: answers of the sandbox, decoded as the
// mirror decodes them. The world stands still while it is read, so that one answer holds each list, and only
// what changed is asked for.

import type { CustodyConfig } from '../../../../src/base/config/config.ts';
import { createMetrics } from '../../../../src/base/metrics.ts';
import { type Asked, type Endpoint, endpoints } from '../../../../src/custody/endpoints.ts';
import { createForeignText } from '../../../../src/custody/http/foreign-text.ts';
import { readPage } from '../../../../src/custody/pages.ts';
import { type Balance, type BalanceVaultType, balanceVaultTypes } from '../../../../src/domain/balance.ts';
import type { Vault, WhitelistEntry } from '../../../../src/domain/document.ts';
import { vaultTypes } from '../../../../src/domain/fields.ts';
import type { Instant } from '../../../../src/domain/instant.ts';
import type { Page } from '../../../../src/domain/page.ts';
import type { Transaction } from '../../../../src/domain/transaction.ts';
import type { Sandbox } from '../../../sandbox/src/sandbox.ts';

export interface SandboxObservation {
  readonly startedAt: Instant;
  /** The transactions are read first, so that the balances hold what these showed. */
  readonly balancesAt: Instant;
  readonly finishedAt: Instant;
  readonly transactions: readonly Page<Transaction>[];
  readonly balances: Readonly<Record<BalanceVaultType, Page<Balance>>>;
  readonly documents: {
    readonly vaults: readonly Page<Vault>[];
    readonly whitelist: Page<WhitelistEntry>;
  } | null;
}

export interface SandboxObserver {
  /**
   * Reads the transactions that changed since the last time, the balances, and if it is wanted vaults and
   * whitelist.
   */
  read(withDocuments: boolean): SandboxObservation;
}

export function createObserver(sandbox: Sandbox, config: CustodyConfig, now: () => Instant): SandboxObserver {
  const tools = { config, metrics: createMetrics(), foreign: createForeignText(() => [config.key]) };
  const rules = config.documents;
  const headers = { [config.keyHeader]: config.keyPrefix + config.key.reveal() };
  const decode = <Record_>(
    endpoint: Endpoint<Record_>,
    asked: Asked,
    ask: () => ReturnType<Sandbox['answer']>,
  ): Page<Record_> => {
    const beganAt = now();
    const { status, body, contentType } = ask();
    const answered = { beganAt, arrivedAt: now(), headers: new Headers({ 'content-type': contentType }) };
    const answer = { ...answered, status, bytes: Buffer.from(body), text: body.toString() };
    return readPage(endpoint, asked, answer, tools).result;
  };
  const balances = (type: BalanceVaultType): Page<Balance> =>
    type === 'all'
      ? decode(endpoints.balances, { rules, balances: type }, () => sandbox.answer('/balances', headers))
      : decode(endpoints.balancesByType, { rules, balances: type }, () =>
          sandbox.answer(`/balances/${type}`, headers),
        );
  const documents = () => ({
    vaults: vaultTypes.map((type) =>
      decode(endpoints.vaults, { rules, vaults: type }, () =>
        sandbox.answer(`/vaults?vault_type=${type}`, headers),
      ),
    ),
    whitelist: decode(endpoints.whitelist, { rules }, () => sandbox.answer('/whitelist', headers)),
  });
  // Only what changes from now on is read.
  sandbox.world.lists.takeChanges();
  return {
    read(withDocuments) {
      const startedAt = now();
      const rows = sandbox.world.lists.takeChanges();
      const transactions =
        rows.length === 0 ? [] : [decode(endpoints.transactions, { rules }, () => sandbox.only(rows))];
      const balancesAt = now();
      const [all, warm, cold] = balanceVaultTypes.map(balances);
      if (all === undefined || warm === undefined || cold === undefined) throw new Error('no balances');
      return {
        startedAt,
        transactions,
        balancesAt,
        balances: { all, warm, cold },
        documents: withDocuments ? documents() : null,
        finishedAt: now(),
      };
    },
  };
}
