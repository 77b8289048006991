// Explores every interleaving of a walk with the changes of a small list, breadth first by the number of
// disturbances. After the last disturbance a walk is deterministic: it is run to its end there, and what it
// claims is held against the list.
import type { WalkView } from '../../../../src/sync/walk/ledger.ts';
import type { WalkAnswer, WalkState } from '../../../../src/sync/walk/state.ts';
import type { Verdict } from '../../../../src/sync/walk/verdict.ts';
import { answerWalk, newWalk, requestOf, verdictOf } from '../../../../src/sync/walk/walk.ts';
import {
  changesOf,
  type Event,
  type List,
  listOf,
  pageOf,
  pageSizeOf,
  rulesOf,
  type Setting,
  shownOf,
} from './world.ts';

export interface Node {
  readonly walk: WalkState;
  readonly list: List;
  /** Records that were shown when the walk began, and ever since. */
  readonly stayers: List;
  readonly met: List;
  readonly inserted: number;
  readonly misanswered: string;
  readonly requests: number;
  /** What the last request was answered with. */
  readonly page: List;
  readonly parent: Node | null;
  readonly event: Event;
}

/** How a walk ended that nothing disturbed after the node. */
export interface Ending {
  readonly from: Node;
  readonly last: Node;
  readonly verdict: Verdict;
  /** Stayers that the walk never met. */
  readonly missed: List;
  /** Requests since the last disturbance, as far as they were followed. */
  readonly requests: number;
}

export interface Coverage {
  states: number;
  endings: number;
  /** Disturbances of the deepest interleaving. */
  depth: number;
  longest: number;
}

/**
 * Calls back for each different way in which a walk can end. Two interleavings that reach the same state of
 * walk and list go on alike, so the second is not followed: what it claims in the end was held against the
 * same list before.
 *
 * @param begin the walk before its first answer
 */
export function explore(
  setting: Setting,
  disturbances: number,
  onEnding: (ending: Ending) => void,
  begin: WalkState = newWalk(),
): Coverage {
  const coverage: Coverage = { states: 0, endings: 0, depth: disturbances, longest: 0 };
  const list = listOf(setting);
  /** For each state that was seen, the requests from there to the end while nothing changes. */
  const requestsLeft = new Map<string, number>();
  const begun = new Set<string>();
  let level: Node[] = [
    {
      walk: begin,
      list,
      stayers: shownOf(list, setting),
      met: '',
      inserted: 0,
      misanswered: '',
      requests: 0,
      page: '',
      parent: null,
      event: { kind: 'answer' },
    },
  ];
  for (let depth = 0; depth <= disturbances; depth += 1) {
    const next: Node[] = [];
    for (const from of level) {
      const path: string[] = [];
      let left = 0;
      let node = from;
      for (let request = requestOf(node.walk); request !== null; request = requestOf(node.walk)) {
        const key = keyOf(node);
        const known = requestsLeft.get(key);
        if (known !== undefined) {
          left = known;
          break;
        }
        if (path.length > mostRequests) throw new Error(`a walk does not end:\n${scriptOf(node)}`);
        path.push(key);
        coverage.states += 1;
        if (depth < disturbances)
          for (const child of disturbed(node, setting)) {
            const childKey = keyOf(child);
            if (begun.has(childKey)) continue;
            begun.add(childKey);
            next.push(child);
          }
        node = answered(node, pageOf(node.list, request.offset, setting), setting, { kind: 'answer' });
      }
      for (const [index, key] of path.entries()) requestsLeft.set(key, left + path.length - index);
      coverage.longest = Math.max(coverage.longest, left + path.length);
      if (requestOf(node.walk) !== null) continue;
      coverage.endings += 1;
      onEnding(endingOf(from, node, path.length));
    }
    level = next;
  }
  return coverage;
}

const mostRequests = 2_000;

function endingOf(from: Node, last: Node, requests: number): Ending {
  const isUnmet = (key: string) => !last.met.includes(key);
  return {
    from,
    last,
    verdict: verdictOf(last.walk),
    missed: [...last.stayers].filter(isUnmet).join(''),
    requests,
  };
}

function answered(node: Node, page: List, setting: Setting, event: Event): Node {
  const answer: WalkAnswer = { keys: [...page], hasUndecodable: false, isRefused: false };
  const { met } = node;
  const view: WalkView = {
    rules: rulesOf(setting),
    met: { has: (key) => met.includes(key), size: met.length },
  };
  const { state } = answerWalk(node.walk, view, answer);
  const fresh = [...page].filter((key) => !met.includes(key)).join('');
  return { ...node, walk: state, met: met + fresh, requests: node.requests + 1, page, parent: node, event };
}

function* disturbed(node: Node, setting: Setting): Generator<Node> {
  const request = requestOf(node.walk);
  if (request === null) return;
  // Before the first request a change only makes another list to begin with.
  if (node.requests > 0) {
    for (const [change, list] of changesOf(node.list, node.inserted, setting)) {
      const isInsert = change.kind === 'insert';
      const shown = shownOf(list, setting);
      const stayers = [...node.stayers].filter((key) => shown.includes(key)).join('');
      const inserted = node.inserted + (isInsert ? 1 : 0);
      yield { ...node, list, stayers, inserted, parent: node, event: { kind: 'change', change } };
    }
  }
  const page = pageOf(node.list, request.offset, setting);
  if (page.length > 0 && !node.misanswered.includes('e'))
    yield {
      ...answered(node, '', setting, { kind: 'misanswer', with: { kind: 'empty' } }),
      misanswered: `${node.misanswered}e`,
    };
  if (!node.misanswered.includes('c'))
    for (let to = 1; to < Math.min(page.length, pageSizeOf(setting)); to += 1)
      yield {
        ...answered(node, page.slice(0, to), setting, { kind: 'misanswer', with: { kind: 'cut', to } }),
        misanswered: `${node.misanswered}c`,
      };
}

/** What decides how a node goes on: counts that only report are left out. */
function keyOf({ walk, list, stayers, met, misanswered }: Node): string {
  const { window, evidence, budget, phase, head, doubts, departed } = walk;
  const { pages, grew, found, shortestCut, pageSize, restarts } = evidence;
  const numbers = [
    window.offset,
    walk.received,
    walk.unaccountedGrowth,
    walk.drift,
    walk.headReadings,
    Number(walk.isReadTwice),
    walk.length,
    Math.min(3, pages),
    grew,
    found,
    shortestCut,
    pageSize,
    restarts,
    budget.endAttempts,
    budget.idlePages,
    budget.searchesInVain,
    budget.falseEndsHere,
    Number(walk.isClamped) + 2 * Number(walk.isOrderProbed) + 4 * Number(walk.isReadForEnd),
  ];
  const texts = [list, stayers, [...met].sort().join(''), misanswered, window.keys.join(''), head.join('')];
  const anchors = walk.anchors.map(({ key, ordinal }) => key + ordinal).join();
  return [...texts, anchors, departed.join(''), doubts.join(), numbers.join(), JSON.stringify(phase)].join(
    ' ',
  );
}

/** The shortest way to a node, one line for each event. */
export function scriptOf(node: Node): string {
  const lines: string[] = [];
  for (let at: Node = node; at.parent !== null; at = at.parent) {
    const { parent, event } = at;
    if (event.kind === 'change')
      lines.unshift(`  ${JSON.stringify(event.change)}: ${parent.list} becomes ${at.list}`);
    else {
      const request = requestOf(parent.walk);
      const what = event.kind === 'misanswer' ? ` ${JSON.stringify(event.with)}` : '';
      lines.unshift(
        `  ${parent.walk.phase.name} at ${request?.offset ?? 0}${what}: window ${at.walk.window.offset} ${at.walk.window.keys.join('')}, grew ${at.walk.evidence.grew}, found ${at.walk.evidence.found}, then ${at.walk.phase.name}`,
      );
    }
  }
  return lines.length > 40 ? [...lines.slice(0, 30), '  …', ...lines.slice(-4)].join('\n') : lines.join('\n');
}
