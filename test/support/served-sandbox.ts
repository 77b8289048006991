/** Starts sandboxes for tests and asks them over real HTTP; each is closed when its test ends. */
import type { SandboxOptions } from '../../packages/sandbox/src/options.ts';
import { type Service, startSandbox } from './sandbox.ts';

/** The fields of section 2 that tests look into; which of them a body has depends on the endpoint. */
export interface WireBody {
  readonly transactions: readonly WireTransaction[];
  readonly timestamp: string;
  readonly balance_type: string;
  readonly balance: readonly WireBalance[];
  readonly vaults: readonly Readonly<Record<string, unknown>>[];
  readonly whitelist: readonly Readonly<Record<string, unknown>>[];
  readonly vault_id: string;
  readonly error_code: string;
}

export interface WireTransaction {
  readonly transaction_id: string;
  readonly id?: string;
  readonly timestamp: string;
  readonly status: string;
  readonly transaction: Readonly<Record<string, unknown>> & {
    readonly source: Readonly<Record<string, string>>;
    readonly destination: Readonly<Record<string, string>>;
  };
}

export interface WireBalance {
  readonly asset_id: string;
  readonly balances: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: WireBody;
}

export interface Served extends Service {
  get(path: string, init?: RequestInit): Promise<Answer>;
}

export async function serve(options: SandboxOptions = {}): Promise<Served> {
  const { sandbox, url } = await startSandbox({ transactions: 300, ...options });
  const headers = { [options.keyHeader ?? 'x-api-key']: (options.keyPrefix ?? '') + sandbox.apiKey };
  return {
    sandbox,
    url,
    get: (path, init = {}) => askJson(url + path, { headers, redirect: 'manual', ...init }),
  };
}

/** Asks, and parses the answer where it is JSON. */
export async function askJson(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: JSON.parse(isJson ? text : '{}'),
  };
}

/** The error_code of an answer, with the HTTP status before it. */
export function errorOf({ status, json }: Answer): string {
  return `${status} ${json.error_code}`;
}

/** The ids of a page of transactions. */
export function idsOf({ json }: Answer): string[] {
  return json.transactions.map((record) => record.transaction_id);
}
