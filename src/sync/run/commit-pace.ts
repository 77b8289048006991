// Sizes the commits of pages: larger while they are fast, smaller when they are slow. A slow database only
// slows a run down: a commit finishes before its timeouts, and other jobs of the account get their turn.
// Pages stay whole unless one alone took too long, or is very long.
import type { ListItem, Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { JobPosition } from '../../store/run/learned.ts';

export interface PlacedPage {
  readonly page: Page<Transaction>;
  /** Where the job resumes after the page; null keeps the stored position. */
  readonly position: JobPosition | null;
}

export type CommitPace = ReturnType<typeof createCommitPace>;

/** The target duration of a commit. */
const aimMs = 1_500;
/** A page that takes longer is divided: renewals of the lease and other jobs wait behind it. */
const longestMs = 5_000;
const mostGrowth = 4;
/** How many records of a page are prepared and written without blocking the main thread for long. */
const mostOfPage = 5_000;
/** The most text of records of a page, because the statement holds it several times. */
const mostText = 2 ** 22;

/** The pace of an account in this process, kept from run to run. */
export function createCommitPace() {
  /** How many records commit at once, at least one page; a single page at first. */
  let records = 0;
  /** How many different records of one page commit at once; fewer after that took too long. */
  let part = mostOfPage;
  return {
    /** Divides the pages into what commits now, at least a page or the part of one, and the rest. */
    next(pages: readonly PlacedPage[]): Readonly<Record<'now' | 'rest', readonly PlacedPage[]>> {
      const [first, ...others] = pages;
      const fitting = first === undefined ? null : fittingKeys(first, part);
      if (first !== undefined && fitting !== null) {
        const [head, tail] = divide(first, fitting);
        return { now: [head], rest: [tail, ...others] };
      }
      let [size, length] = [0, 0];
      const isBeyond = ({ page: { items } }: PlacedPage, index: number) => {
        size += items.length;
        length += items.reduce((sum, item) => sum + rawOf(item).length, 0);
        return index > 0 && (size > records || length > mostText);
      };
      const end = pages.findIndex(isBeyond);
      return end < 0 ? { now: pages, rest: [] } : { now: pages.slice(0, end), rest: pages.slice(end) };
    },
    committed(pages: readonly PlacedPage[], ms: number): void {
      const paced = sizeOf(pages) * Math.min(mostGrowth, aimMs / ms);
      records = ms > aimMs ? paced : Math.max(records, paced);
      if (ms <= aimMs) part = Math.min(mostOfPage, Math.max(part, paced));
      else if (ms > longestMs && pages.length === 1) part = Math.max(1, paced);
    },
    /** Nothing was written, because it took too long. @returns whether fewer can be tried */
    tookTooLong(pages: readonly PlacedPage[]): boolean {
      const [first] = pages;
      records = Math.floor(sizeOf(pages) / 2);
      if (first === undefined || pages.length > 1) return pages.length > 1;
      const { size } = keysOf(first);
      part = Math.max(1, Math.floor(size / 2));
      return size > 1;
    },
  };
}

function sizeOf(pages: readonly PlacedPage[]): number {
  return pages.reduce((sum, { page }) => sum + page.items.length, 0);
}

const keysOf = ({ page }: PlacedPage) => new Set(page.items.map(({ key }) => key));

/** The text of the record as it is stored. */
export function rawOf(item: ListItem<Transaction>): string {
  return item.kind === 'record' ? item.record.raw : item.raw;
}

/** The first keys of the page that may commit at once, one at least; null when all of them may. */
function fittingKeys({ page }: PlacedPage, most: number): ReadonlySet<string> | null {
  const keys = new Set<string>();
  let length = 0;
  for (const item of page.items) {
    length += rawOf(item).length;
    const isFull = keys.size >= most || length > mostText;
    if (isFull && keys.size > 0 && !keys.has(item.key)) return keys;
    keys.add(item.key);
  }
  return null;
}

/** Records of one key stay together: they are compared with each other. */
function divide(placed: PlacedPage, keys: ReadonlySet<string>): readonly [PlacedPage, PlacedPage] {
  const { page } = placed;
  const part = (isHead: boolean) => ({
    ...page,
    items: page.items.filter(({ key }) => keys.has(key) === isHead),
  });
  return [
    { page: part(true), position: null },
    { ...placed, page: part(false) },
  ];
}
