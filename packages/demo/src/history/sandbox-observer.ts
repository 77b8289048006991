// The view of the demo's mirror at one moment of its history: answers of the sandbox, decoded as the mirror
// decodes them. The world stands still while it is read, so that one answer holds each list, and only what
// changed is asked for.

import type { CustodyConfig } from '../../../../src/base/config/config.ts';
import { createMetrics } from '../../../../src/base/metrics.ts';
import { readPage } from '../../../../src/custody/answers.ts';
import { type Asked, type Endpoint, endpoints } from '../../../../src/custody/endpoints.ts';
import { createForeignText } from '../../../../src/custody/http/foreign-text.ts';
import type { Balance, BalanceVaultType } from '../../../../src/domain/balance.ts';
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
  read(withDocuments: boolean): Promise<SandboxObservation>;
}

export function createObserver(sandbox: Sandbox, config: CustodyConfig, now: () => Instant): SandboxObserver {
  const tools = { config, metrics: createMetrics(), foreign: createForeignText(() => [config.key]) };
  const rules = config.documents;
  const headers = { [config.keyHeader]: config.keyPrefix + config.key.reveal() };
  const { signal } = new AbortController();
  const decode = async <Record_>(
    endpoint: Endpoint<Record_>,
    asked: Asked,
    ask: () => ReturnType<Sandbox['answer']>,
  ): Promise<Page<Record_>> => {
    const beganAt = now();
    const { status, body, contentType } = ask();
    const answered = { beganAt, arrivedAt: now(), headers: new Headers({ 'content-type': contentType }) };
    const answer = { ...answered, status, body: Buffer.from(body) };
    return (await readPage(endpoint, asked, answer, { ...tools, signal, isBelieved: () => false })).result;
  };
  const balances = async (type: BalanceVaultType): Promise<Page<Balance>> =>
    await (type === 'all'
      ? decode(endpoints.balances, { rules, balances: type }, () => sandbox.answer('/balances', headers))
      : decode(endpoints.balancesByType, { rules, balances: type }, () =>
          sandbox.answer(`/balances/${type}`, headers),
        ));
  // One after the other: each reads the clock.
  const documents = async () => {
    const vaults: Page<Vault>[] = [];
    for (const type of vaultTypes) {
      const ask = () => sandbox.answer(`/vaults?vault_type=${type}`, headers);
      vaults.push(await decode(endpoints.vaults, { rules, vaults: type }, ask));
    }
    const ask = () => sandbox.answer('/whitelist', headers);
    return { vaults, whitelist: await decode(endpoints.whitelist, { rules }, ask) };
  };
  // Only later changes are read.
  sandbox.world.lists.takeChanges();
  return {
    async read(withDocuments) {
      const startedAt = now();
      const rows = sandbox.world.lists.takeChanges();
      const transactions =
        rows.length === 0 ? [] : [await decode(endpoints.transactions, { rules }, () => sandbox.only(rows))];
      const balancesAt = now();
      const [all, warm, cold] = [await balances('all'), await balances('warm'), await balances('cold')];
      return {
        startedAt,
        transactions,
        balancesAt,
        balances: { all, warm, cold },
        documents: withDocuments ? await documents() : null,
        finishedAt: now(),
      };
    },
  };
}
