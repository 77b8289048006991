// Handles a request: path, key, rate limit, fault, endpoint, answer. Invariant: a request with a bad key gets
// ERR-02 and no fault, and every request over HTTP is logged exactly once.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { DeliveryContext } from './faults/delivery.ts';
import { deliver, deliverBroken, faultReply } from './faults/delivery.ts';
import type { FaultRequest } from './faults/fault-kinds.ts';
import type { Fault, Faults } from './faults/faults.ts';
import type { RequestLog } from './faults/request-log.ts';
import { Endpoints, emptyCodes } from './http/endpoints.ts';
import type { Reply } from './http/errors.ts';
import { errorReply, htmlReply } from './http/errors.ts';
import { RefusedRequest, RequestQuery } from './http/parameters.ts';
import type { RateVerdict } from './http/rate-limit.ts';
import { RateLimit } from './http/rate-limit.ts';
import type { Route } from './http/routes.ts';
import { findRoute } from './http/routes.ts';
import type { Settings } from './options.ts';
import type { Quirks } from './wire/quirks.ts';
import type { World } from './world/world.ts';

interface ServiceParts {
  readonly settings: Settings;
  readonly world: World;
  readonly faults: Faults;
  readonly quirks: Quirks;
  readonly requests: RequestLog;
}

/** An answer, and the fault that breaks it. */
interface Outcome {
  readonly reply: Reply;
  readonly fault: Fault | undefined;
}

export class Service {
  readonly #parts: ServiceParts;
  readonly #endpoints: Endpoints;
  readonly #rateLimit: RateLimit | undefined;
  #number = 0;

  constructor(parts: ServiceParts) {
    const { settings, world, quirks } = parts;
    this.#parts = parts;
    this.#endpoints = new Endpoints(world, { ...settings, quirks });
    this.#rateLimit = Number.isFinite(settings.rate) ? new RateLimit(settings.rate) : undefined;
  }

  /** The listener of the HTTP server. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { settings, requests } = this.#parts;
    const time = settings.now();
    requests.begin();
    response.once('close', () => requests.end());
    const target = request.url ?? '/';
    const { path, search, route } = this.#find(target);
    const { reply, fault } = this.#answer(request, route, new URLSearchParams(search), {
      number: this.#next(),
      time,
      target,
    });
    const number = this.#number;
    const silent = fault !== undefined && (fault.kind === 'reset' || fault.kind === 'stall');
    const status = silent ? undefined : reply.status;
    const logged = {
      number,
      time,
      method: request.method ?? '',
      path,
      query: search,
      endpoint: route?.endpoint,
    };
    requests.record({ ...logged, status, errorCode: reply.errorCode, fault: fault?.kind });
    if (fault === undefined) deliver(response, reply);
    else this.#deliverBroken(response, reply, fault, target);
  };

  /**
   * Answers a GET request that came without HTTP. It is not logged, and faults that break the delivery do not
   * show.
   */
  answer(target: string, headers: IncomingHttpHeaders): Reply {
    const { search, route } = this.#find(target);
    const at = { number: this.#next(), time: this.#parts.settings.now(), target };
    return this.#answer({ method: 'GET', headers }, route, new URLSearchParams(search), at).reply;
  }

  /** The list of transactions as it shows these rows, and no others. */
  only(rows: readonly number[]): Reply {
    return this.#endpoints.only(rows, this.#parts.settings.now());
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }

  /** The path and the route that a request names, below the base path. */
  #find(target: string): {
    readonly path: string;
    readonly search: string;
    readonly route: Route | undefined;
  } {
    const { basePath, byIdPath } = this.#parts.settings;
    const mark = target.indexOf('?');
    const fullPath = mark < 0 ? target : target.slice(0, mark);
    const search = mark < 0 ? '' : target.slice(mark + 1);
    const inside = fullPath.startsWith(`${basePath}/`);
    const path = inside ? fullPath.slice(basePath.length) : fullPath;
    return { path, search, route: inside ? findRoute(path, byIdPath) : undefined };
  }

  #deliverBroken(response: ServerResponse, reply: Reply, fault: Fault, target: string): void {
    const { settings } = this.#parts;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const context: DeliveryContext = {
      sleep: settings.sleep,
      signal: gone.signal,
      now: settings.now,
      target,
    };
    deliverBroken(response, reply, fault, context).catch(() => response.destroy());
  }

  #answer(
    request: Pick<IncomingMessage, 'method' | 'headers'>,
    route: Route | undefined,
    search: URLSearchParams,
    at: { readonly number: number; readonly time: number; readonly target: string },
  ): Outcome {
    if (route === undefined) return whole(at.target === '/' ? this.#welcome() : htmlReply(404, 'Not Found'));
    if (request.method !== 'GET') {
      return whole({ ...htmlReply(405, 'Method Not Allowed'), headers: { allow: 'GET' } });
    }
    const refusal = this.#keyRefusal(request);
    if (refusal !== undefined) return whole(errorReply('ERR-02', refusal));
    const verdict = this.#rateLimit?.take(route.endpoint, at.time);
    if (verdict?.allowed === false) return whole(this.#limited(verdict, at.time));
    const outcome = this.#admitted(route, search, at);
    if (verdict === undefined) return outcome;
    const headers = { ...outcome.reply.headers, ...rateHeaders(verdict) };
    return { ...outcome, reply: { ...outcome.reply, headers } };
  }

  /** For people who open the address in a browser. It is a 404, like every path without an operation. */
  #welcome(): Reply {
    const { basePath, keyHeader } = this.#parts.settings;
    const body = `This is a sandbox: a custody service with fictional data, for tests and demos. It answers
GET ${basePath}/transactions, ${basePath}/balances, ${basePath}/vaults and ${basePath}/whitelist with the key in the header ${keyHeader}, such as
curl -H '${keyHeader}: …' http://…${basePath}/balances
`;
    return { status: 404, contentType: 'text/plain; charset=utf-8', headers: {}, body };
  }

  #admitted(
    route: Route,
    search: URLSearchParams,
    at: { readonly number: number; readonly time: number; readonly target: string },
  ): Outcome {
    const { faults, settings } = this.#parts;
    const parameter = decodeParameter(route.parameter);
    if (parameter === undefined) return whole(errorReply('ERR-00', 'the path is not valid percent-encoding'));
    const asked: FaultRequest = { endpoint: route.endpoint, parameter, query: search, number: at.number };
    const fault = faults.faultFor(asked);
    const instead =
      fault === undefined ? undefined : faultReply(fault, { now: settings.now, target: at.target });
    if (instead !== undefined) return { ...whole(instead), fault };
    if (fault?.kind === 'falseempty') return { ...whole(errorReply(emptyCodes[route.endpoint])), fault };
    const reply = this.#ask(asked, search, at.time, fault);
    if (faults.poisons && this.#endpoints.lastPage.length > 0) {
      const ids = this.#endpoints.lastPage.map((row) => this.#parts.world.table.idOf(row));
      const poison = faults.poisonFor(asked, ids);
      if (poison !== undefined) return { ...whole(errorReply('ERR-01')), fault: poison };
    }
    return { ...whole(reply), fault };
  }

  #ask(asked: FaultRequest, search: URLSearchParams, time: number, fault: Fault | undefined): Reply {
    try {
      return this.#endpoints.answer({
        endpoint: asked.endpoint,
        parameter: asked.parameter,
        query: new RequestQuery(search),
        time,
        number: asked.number,
        ignoreOffset: fault?.kind === 'repeatpage',
        ignoreLimit: fault?.kind === 'limitignored',
      });
    } catch (error) {
      if (error instanceof RefusedRequest) return errorReply(error.code, error.details);
      throw error;
    }
  }

  /** Why the key is refused (section 5); undefined for the viewer key. */
  #keyRefusal(request: Pick<IncomingMessage, 'headers'>): string | undefined {
    const { keyHeader, keyPrefix, apiKey } = this.#parts.settings;
    const given = request.headers[keyHeader];
    if (given === keyPrefix + apiKey) return undefined;
    return given === undefined ? 'No API key was presented' : 'The API key is not known';
  }

  #limited(verdict: RateVerdict, time: number): Reply {
    const { retryAfter } = this.#parts.settings;
    const headers = rateHeaders(verdict);
    const seconds = Math.max(1, Math.ceil(verdict.waitMs / 1000));
    if (retryAfter === 'seconds') headers['retry-after'] = String(seconds);
    if (retryAfter === 'date') headers['retry-after'] = new Date(time + seconds * 1000).toUTCString();
    return errorReply('ERR-03', undefined, headers);
  }
}

function whole(reply: Reply): Outcome {
  return { reply, fault: undefined };
}

function rateHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    'x-ratelimit-limit': String(verdict.limit),
    'x-ratelimit-remaining': String(Math.max(0, verdict.remaining)),
    'x-ratelimit-reset': String(Math.ceil(verdict.waitMs / 1000)),
  };
}

function decodeParameter(parameter: string): string | undefined {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return undefined;
  }
}
