// A list that can be changed between requests and pages itself as a custody service might: the truth a walk
// is held against.
import type { ListItem, Page, PageRequest } from '../../../src/domain/page.ts';

export type Change =
  | { readonly kind: 'insert'; readonly at: number; readonly count: number }
  | { readonly kind: 'remove'; readonly at: number; readonly count: number }
  | { readonly kind: 'to-head'; readonly at: number }
  | { readonly kind: 'to-tail'; readonly at: number }
  | { readonly kind: 'none' };

export interface ModelOptions {
  readonly length: number;
  /** The largest page answered, whatever is asked for; by request. */
  readonly clamp?: (request: number) => number;
  /** What happens before the request is answered. */
  readonly change?: (request: number) => Change;
  /** Whether the request is answered as if nothing were there. */
  readonly falseEmpty?: (request: number) => boolean;
  readonly shuffled?: boolean;
  readonly ignoreOffset?: boolean;
}

export function createModelList(options: ModelOptions) {
  let keys = Array.from({ length: options.length }, (_, index) => `r${index}`);
  let next = options.length;
  let requests = 0;
  const stayed = new Set(keys);
  const seen = new Set<string>();
  /** How often a record was behind an answer that held nothing, since it was last shown. */
  const denied = new Map<string, number>();

  function apply(change: Change): void {
    if (change.kind === 'none') return;
    const at = keys.length === 0 ? 0 : change.at % (keys.length + 1);
    if (change.kind === 'insert') {
      keys.splice(at, 0, ...Array.from({ length: change.count }, () => `r${next++}`));
    } else if (change.kind === 'remove') {
      for (const key of keys.splice(at, change.count)) stayed.delete(key);
    } else {
      const [moved] = keys.splice(at, 1);
      if (moved === undefined) return;
      if (change.kind === 'to-head') keys.unshift(moved);
      else keys.push(moved);
    }
  }

  async function read({ offset = 0, limit = 50 }: PageRequest): Promise<Page<string>> {
    requests += 1;
    const request = requests;
    if (requests > 20_000) throw new Error('the walk does not come to an end');
    await Promise.resolve();
    apply(options.change?.(request) ?? { kind: 'none' });
    if (options.shuffled) keys = [...keys].sort((a, b) => hash(`${request} ${a}`) - hash(`${request} ${b}`));
    const size = Math.min(limit, options.clamp?.(request) ?? Number.POSITIVE_INFINITY);
    const from = options.ignoreOffset ? 0 : offset;
    const isDenied = options.falseEmpty?.(request) ?? false;
    if (isDenied) for (const key of keys.slice(from)) denied.set(key, (denied.get(key) ?? 0) + 1);
    const answered = isDenied ? [] : keys.slice(from, from + size);
    for (const key of answered) denied.delete(key);
    return { items: answered.map(item), beganAt: request, arrivedAt: request, sourceTimestamp: null };
  }

  return {
    read,
    apply,
    onPage: async (page: Page<string>) => {
      for (const { key } of page.items) seen.add(key);
    },
    /**
     * Records that were in the list from the first request to now and were handed on by no page. A record
     * that two answers denied, and none has shown since, is left out: these are the answers of a list that
     * lost it.
     */
    missed: () => [...stayed].filter((key) => !seen.has(key) && (denied.get(key) ?? 0) < 2),
    seen,
    get requests() {
      return requests;
    },
    get length() {
      return keys.length;
    },
  };
}

function item(key: string): ListItem<string> {
  return { kind: 'record', key, hash: key, record: key };
}

function hash(text: string): number {
  let value = 2166136261;
  for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 16777619);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39);
  return (value ^ (value >>> 15)) >>> 0;
}

/** So many pages are read ahead, however long they are. */
export const pagesAhead = (pages: number) => ({ pages, bytes: Number.MAX_SAFE_INTEGER, sizeOf: () => 1 });
