// The kinds of faults, and the text that names them in options. Invariant: text that cannot be understood is
// refused with the bad item and the list of kinds.
import type { Endpoint } from '../http/endpoints.ts';
import { endpointNames } from '../http/endpoints.ts';
import { isOneOf } from '../world/records.ts';

/** Faults that a client survives by repeating the request. */
const transientKinds = [
  'err01', // ERR-01, which is HTTP 400
  'err03', // ERR-03 with Retry-After in seconds
  'err03-date', // ERR-03 with Retry-After as an HTTP date
  'err03-bare', // ERR-03 without Retry-After
  'http500', // HTML bodies of a gateway
  'http502',
  'http503',
  'reset', // the connection is reset before any answer
  'truncated', // the connection ends in the middle of the body
  'badjson', // HTTP 200 and JSON that stops in the middle
  'html', // HTTP 200 and a page of HTML
  'wrongtype', // the right body as text/plain
  'stall', // no answer at all
  'stallbody', // half of the body, then nothing
  'slow', // the whole body, in small pieces over `delayMs`
] as const;

/** Answers that look right and are wrong. */
const lyingKinds = [
  'falseempty', // the empty code of the endpoint although there are records
  'repeatpage', // offset is ignored
  'limitignored', // limit is ignored
] as const;

/** Other faults. */
const otherKinds = [
  'err02', // the key is refused
  'redirect', // to the same address again
  'redirectother', // to another origin
  'huge', // a body of `bytes`
  'poison', // ERR-01 for every page that contains one of `ids`
] as const;

export const faultKinds = [...transientKinds, ...lyingKinds, ...otherKinds] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Groups: one of the kinds, drawn evenly; the rate covers all kinds together. */
export const faultGroups = { all: transientKinds, lies: lyingKinds } as const;
type FaultGroup = keyof typeof faultGroups;

/** The place of a request in a walk over a list. */
const faultPhases = ['first', 'offset', 'byid'] as const;
type FaultPhase = (typeof faultPhases)[number];

/** What a rule can depend on. */
export interface FaultRequest {
  readonly endpoint: Endpoint;
  readonly parameter: string;
  readonly query: URLSearchParams;
  readonly number: number;
}

/** A fault, how often it occurs, and where. */
export interface FaultRule {
  readonly kind: FaultKind | FaultGroup;
  /** Share of the matching requests, 0 to 1; 1 when left out. */
  readonly rate?: number;
  readonly endpoint?: Endpoint;
  readonly phase?: FaultPhase;
  /** Another condition. */
  readonly when?: (request: FaultRequest) => boolean;
  /** The rule ends after this many faults. */
  readonly times?: number;
  /** `poison`: the transactions whose pages fail. */
  readonly ids?: readonly string[];
  /** `err03`, `err03-date`: how long to wait, seconds; 1 when left out. */
  readonly retryAfter?: number;
  /** `slow`: how long the body takes, milliseconds; 1,000 when left out. */
  readonly delayMs?: number;
  /** `huge`: size of the body; 256 MiB when left out. */
  readonly bytes?: number;
  /** `redirectother`: the origin to send to; http://custody.invalid when left out. */
  readonly redirectTo?: string;
}

/**
 * Reads rules from text: items `kind[@endpoint][/phase]=rate[xTimes]`, separated by commas, such as
 * `err01=0.2,reset@balances=0.05,falseempty@transactions/offset=1x2,all=0.2,poison=<id>+<id>`.
 * @throws RangeError naming the bad item and the known kinds
 */
export function parseFaults(text: string): FaultRule[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map(parseItem);
}

function parseItem(item: string): FaultRule {
  const [target = '', value = '1'] = splitOnce(item, '=');
  const [place = '', phase] = splitOnce(target, '/');
  const [kind = '', endpoint] = splitOnce(place, '@');
  if (!isOneOf(faultKinds, kind) && kind !== 'all' && kind !== 'lies') {
    throw new RangeError(
      `faults: unknown fault in "${item}"; the faults are: ${[...faultKinds, 'all', 'lies'].join(', ')}`,
    );
  }
  if (endpoint !== undefined && !isOneOf(endpointNames, endpoint)) {
    throw new RangeError(
      `faults: unknown endpoint in "${item}"; the endpoints are: ${endpointNames.join(', ')}`,
    );
  }
  if (phase !== undefined && !isOneOf(faultPhases, phase)) {
    throw new RangeError(`faults: unknown phase in "${item}"; the phases are: ${faultPhases.join(', ')}`);
  }
  const where: FaultRule = {
    kind,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(phase === undefined ? {} : { phase }),
  };
  if (kind === 'poison') {
    const ids = value.split('+').filter((id) => id !== '');
    if (!item.includes('=') || ids.length === 0)
      throw new RangeError(`faults: "${item}" needs ids: poison=<id>+<id>`);
    return { ...where, ids };
  }
  const match = /^(\d*\.?\d+)(?:x(\d+))?$/.exec(value);
  const rate = Number(match?.[1] ?? Number.NaN);
  if (Number.isNaN(rate) || rate > 1) {
    throw new RangeError(
      `faults: bad rate in "${item}": it must be from 0 to 1, as in err01=0.2; kinds: ${faultKinds.join(', ')}`,
    );
  }
  return { ...where, rate, ...(match?.[2] === undefined ? {} : { times: Number(match[2]) }) };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
