// How much each reader may ask of this process: requests per second, and answers in progress. Sent with every
// answer in the header fields of draft-ietf-httpapi-ratelimit-headers (structured fields, RFC 9651). Requests
// take tokens from buckets in memory, each refilled at a steady rate up to its burst.
import type { Context } from 'hono';
import type { AccessEnv } from '../request/environment.ts';
import { whenClosed } from '../request/guarded-stream.ts';
import { rateLimited } from '../request/refusal.ts';

/** The name of the policy in the header fields. */
const policy = '"requests"';
/** The burst, in seconds of the steady rate: a page of a dashboard sends many requests at once. */
const burstSeconds = 2;

/**
 * @param perSecond HTTP_RATE_LIMIT: requests per second and reader; null for no limit
 * @param mostAtOnce the most answers in progress for one reader
 * @returns a function that admits a request of the reader, or throws Refused `rate-limited`
 */
export function createRateLimit(
  perSecond: number | null,
  mostAtOnce: number,
  monotonicMs: () => number,
): (c: Context<AccessEnv>, name: string) => void {
  const burst = Math.max(1, Math.ceil((perSecond ?? 0) * burstSeconds));
  const buckets = perSecond === null ? null : createTokenBuckets({ perSecond, burst, monotonicMs });
  const underWay = new Map<string, number>();
  return (c, name) => {
    if (buckets !== null && perSecond !== null) {
      const taken = buckets.take(name);
      sendLimit(c, taken ?? buckets.state(name), { burst, perSecond });
      if (taken === null)
        throw rateLimited(
          `more than ${perSecond} requests per second from this reader`,
          Math.max(1, buckets.state(name).tokenInSeconds),
        );
    }
    const before = underWay.get(name) ?? 0;
    if (before >= mostAtOnce) throw rateLimited(`${mostAtOnce} responses to this reader are in progress`, 1);
    underWay.set(name, before + 1);
    // The client may have left while it was identified.
    whenClosed(c, () => {
      const left = (underWay.get(name) ?? 1) - 1;
      if (left > 0) underWay.set(name, left);
      else underWay.delete(name);
    });
  };
}

function sendLimit(
  c: Context,
  { left, fullInSeconds }: BucketState,
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
): void {
  c.header('ratelimit-policy', `${policy};q=${burst};w=${Math.ceil(burst / perSecond)}`);
  c.header('ratelimit', `${policy};r=${left};t=${fullInSeconds}`);
}

export interface BucketOptions {
  readonly perSecond: number;
  /** The most requests at once. */
  readonly burst: number;
  /** The most buckets that are remembered. One that was forgotten is full again. Default 10,000. */
  readonly most?: number;
  readonly monotonicMs?: () => number;
}

export interface BucketState {
  /** Whole tokens that are left. */
  readonly left: number;
  /** Seconds until it is full again, rounded up. */
  readonly fullInSeconds: number;
  /** Seconds until there is a token, rounded up; 0 when there is one. */
  readonly tokenInSeconds: number;
}

export function createTokenBuckets(options: BucketOptions) {
  const { perSecond, burst, most = 10_000, monotonicMs = () => performance.now() } = options;
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>();
  const tokensOf = (name: string, now: number) => {
    const known = buckets.get(name);
    return known === undefined
      ? burst
      : Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond);
  };
  const describe = (tokens: number): BucketState => ({
    left: Math.floor(tokens),
    fullInSeconds: Math.ceil((burst - tokens) / perSecond),
    tokenInSeconds: tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perSecond),
  });
  return {
    /** Takes a token. @returns null when there was none */
    take(name: string): BucketState | null {
      const now = monotonicMs();
      const tokens = tokensOf(name, now);
      if (tokens < 1) return null;
      // Deleted first, so that the map keeps the order of the last use.
      buckets.delete(name);
      buckets.set(name, { tokens: tokens - 1, at: now });
      if (buckets.size > most) buckets.delete(buckets.keys().next().value ?? name);
      return describe(tokens - 1);
    },
    state: (name: string): BucketState => describe(tokensOf(name, monotonicMs())),
  };
}
