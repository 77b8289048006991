// A page as a reader sees it: its text, and where its links lead.
import { type Child, jsx } from 'hono/jsx';
import { expect } from 'vitest';
import { withWholeFigures } from '../../../test/support/page-text.ts';
import type { RunningServer } from '../../../test/support/running-server.ts';
import { type View, ViewProvider } from '../src/view/view.ts';

export interface SeenPage {
  readonly status: number;
  /** The address in the end, after redirects, without the host. */
  readonly address: string;
  readonly html: string;
  /** What `main` says, on one line. */
  readonly text: string;
  /** Addresses of the links in `main`. */
  readonly links: readonly string[];
}

export async function seePage(server: RunningServer, path: string): Promise<SeenPage> {
  const answer = await server.get(path);
  const html = await answer.text();
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
  const { pathname, search } = new URL(answer.url);
  return {
    status: answer.status,
    address: `${pathname}${search}`,
    html,
    text: decoded(withWholeFigures(main).replace(/<[^>]*>/g, ' '))
      .replace(/\s+/g, ' ')
      .replace(/ ([.,])/g, '$1'),
    links: [...main.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => decoded(href ?? '')),
  };
}

function decoded(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The rows that the JSON link of a table gives. */
export async function rowsBehind(
  server: RunningServer,
  { links }: SeenPage,
  path: string,
): Promise<readonly Record<string, unknown>[]> {
  const link = links.find((address) => address.startsWith(`/api${path}?`));
  expect(link, `a link to ${path}`).toBeDefined();
  const answer = await server.get(link ?? '');
  expect(answer.status, link).toBe(200);
  return ((await answer.json()) as { data: Record<string, unknown>[] }).data;
}

/** The HTML of parts of a page, as a reader with this view gets it. */
export async function renderIn(view: View, content: Child): Promise<string> {
  return String(await jsx(ViewProvider, { value: view }, content).toString());
}
