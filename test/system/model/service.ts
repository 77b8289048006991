// A third, tiny reading of docs/custody-service.md, made to be scripted: GET /transactions with limit, offset
// and status (4.1) and GET /transactions/{id} (4.2), over real HTTP. Before each request is answered a hook
// may change the list, and every answer is logged with what it showed: the truth that a mirror is held
// against.
import { createServer } from 'node:http';
import { listening } from '../../support/listening.ts';
import type { ListModel, ModelRecord } from './list-model.ts';
import { toWire } from './wire.ts';

/**
 * What a request is answered with instead of the truth; or `late`, the truth of its time behind that of later
 * requests.
 */
export type Misbehaviour = 'false-empty' | 'fault' | 'limited' | 'cut' | 'late';

const lateMs = 12;

export interface Answer {
  /** Stands in the timestamp of its records, so that an answer can be told by what was received. */
  readonly timestamp: string;
  readonly path: 'list' | 'status' | 'by-id';
  readonly asked: string;
  readonly records: readonly ModelRecord[];
}

/** The service of one account. */
export interface ModelService {
  readonly list: ListModel;
  /** Largest page answered; null answers whatever is asked for. */
  clamp: number | null;
  /** Called before each request is answered. */
  hook: ((asked: { readonly path: Answer['path']; readonly number: number }) => Misbehaviour | null) | null;
  readonly answers: Answer[];
  requests: number;
}

export interface ModelServer {
  /** Base address of an account's service. */
  serve(account: string, service: ModelService): string;
  forget(account: string): void;
}

interface Reply {
  readonly late?: boolean;
  readonly status: number;
  readonly body: string;
}

export function createModelService(list: ListModel, clamp: number | null): ModelService {
  return { list, clamp, hook: null, answers: [], requests: 0 };
}

export async function openModelServer(): Promise<ModelServer> {
  const services = new Map<string, ModelService>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://model');
    const [, account = '', ...path] = url.pathname.split('/');
    const service = services.get(account);
    const reply = service === undefined ? error(404, 'NONE') : answer(service, path, url.searchParams);
    if (reply === 'cut') return void request.socket.destroy();
    const send = () => {
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
    };
    if (reply.late) setTimeout(send, lateMs);
    else send();
  });
  const { url } = await listening(server);
  return {
    serve(account, service) {
      services.set(account, service);
      return `${url}/${account}`;
    },
    forget: (account) => void services.delete(account),
  };
}

function answer(service: ModelService, path: readonly string[], query: URLSearchParams): Reply | 'cut' {
  const id = path[1];
  const status = query.get('status');
  const kind = id !== undefined ? 'by-id' : status !== null ? 'status' : 'list';
  service.requests += 1;
  const misbehaviour = service.hook?.({ path: kind, number: service.requests }) ?? null;
  if (misbehaviour === 'cut') return 'cut';
  if (misbehaviour === 'fault') return error(400, 'ERR-01');
  if (misbehaviour === 'limited') return error(429, 'ERR-03');
  if (misbehaviour === 'false-empty' && id === undefined) return error(400, 'TXN-02');
  const records = id !== undefined ? find(service, id) : select(service, status, query);
  const timestamp = new Date(Date.UTC(2026, 0, 1) + service.answers.length).toISOString();
  service.answers.push({ timestamp, path: kind, asked: id ?? `?${query}`, records });
  if (records.length === 0) return error(400, id === undefined ? 'TXN-02' : 'TXN-04');
  const body = { transactions: records.map((record) => toWire(record, timestamp)) };
  return { status: 200, body: JSON.stringify(body), late: misbehaviour === 'late' };
}

function find({ list }: ModelService, id: string): readonly ModelRecord[] {
  const record = list.record(decodeURIComponent(id));
  return record === undefined ? [] : [record];
}

function select(
  { list, clamp }: ModelService,
  status: string | null,
  query: URLSearchParams,
): readonly ModelRecord[] {
  const offset = Number(query.get('offset') ?? 0);
  const limit = Math.min(Number(query.get('limit') ?? 200), clamp ?? Number.POSITIVE_INFINITY);
  const matching = status === null ? list.records : list.records.filter((record) => record.status === status);
  return matching.slice(offset, offset + limit);
}

function error(status: number, code: string): Reply {
  const body = {
    status: 'error',
    error_code: code,
    error_message: code,
    details: '',
    help: '',
    code: `${status}`,
  };
  return { status, body: JSON.stringify(body) };
}
