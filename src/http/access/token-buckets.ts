// Token buckets by name, in the memory of this process: each is refilled at a steady rate up to its burst.

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

export interface TokenBuckets {
  /** Takes a token. @returns null when there was none */
  take(name: string): BucketState | null;
  state(name: string): BucketState;
}

export function createTokenBuckets(options: BucketOptions): TokenBuckets {
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
    take(name) {
      const now = monotonicMs();
      const tokens = tokensOf(name, now);
      if (tokens < 1) return null;
      // Deleted first, so that the map keeps the order of the last use.
      buckets.delete(name);
      buckets.set(name, { tokens: tokens - 1, at: now });
      if (buckets.size > most) buckets.delete(buckets.keys().next().value ?? name);
      return describe(tokens - 1);
    },
    state: (name) => describe(tokensOf(name, monotonicMs())),
  };
}
