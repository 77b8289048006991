// What holds for every page in every view: axe-core finds nothing, nothing sticks out, and a picture can be
// looked at.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import axe from 'axe-core';
import { sampled } from '../form.ts';
import type { Tab, View } from './tab.ts';

/** Phone, tablet and desk, each light and dark. */
export const everyView: readonly View[] = [320, 768, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme, media: 'screen' as const })),
);

/**
 * All of them in `npm run test:long` and where pictures are made; else the narrow one in light and the wide
 * one in dark.
 */
const viewsToCheck = process.env['SCREENSHOTS'] ? everyView : sampled(everyView, { every: 5 });

/**
 * Shows the page of a tab in view after view, and returns what is wrong there, a line each: empty is good.
 *
 * @param name of the pictures, which are made where the variable SCREENSHOTS names a directory
 */
export async function checkViews(
  tab: Tab,
  name: string,
  views: readonly View[] = viewsToCheck,
): Promise<string[]> {
  const viewsOf = new Map<string, string[]>();
  for (const view of views) {
    const named = `${view.width} ${view.colorScheme}`;
    await tab.show(view);
    await picture(tab, `${name}-${named.replace(' ', '-')}`);
    for (const line of [...(await sticksOut(tab)), ...(await axeFindings(tab))])
      viewsOf.set(line, [...(viewsOf.get(line) ?? []), named]);
  }
  return [...viewsOf].map(([line, found]) => `${found.join(', ')}: ${line}`);
}

/** The rules of axe-core for WCAG 2.2, levels A and AA, and for good practice. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe-core finds on the page as it is shown, a line for each element, five for each rule at most. It is
 * put into the page by the debugging protocol, which no content security policy binds. It needs a tab with
 * JavaScript.
 */
export async function axeFindings({ page }: Tab): Promise<string[]> {
  // Alone in its scope, so that an element named `module` or `define` is not taken for a loader.
  await page.evaluate(`if (typeof axe === 'undefined') { ${axe.source} } 0`);
  const options: axe.RunOptions = {
    runOnly: { type: 'tag', values: tags },
    resultTypes: ['violations'],
    // It would fetch what the policy refuses, and the tab would note that as a fault of the page.
    preload: false,
  };
  const violations = await page.evaluate<axe.Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then((results) => results.violations)`,
  );
  return violations.flatMap(({ id, help, nodes }) => {
    const lines = nodes.slice(0, 5).map(({ target, failureSummary = '' }) => {
      const [, ...why] = failureSummary.split('\n').map((line) => line.trim());
      return `${id} (${help}) at ${target.join(' ')}: ${why.join(' ')}`;
    });
    return nodes.length > lines.length ? [...lines, `${id} at ${nodes.length - lines.length} more`] : lines;
  });
}

/**
 * The elements because of which the page scrolls sideways; none where it does not. Looked at again a frame
 * later, because a script of the page sees a changed window after the frame that shows it.
 */
export async function sticksOut(tab: Pick<Tab, 'page'>): Promise<string[]> {
  if ((await stickingOut(tab)).length === 0) return [];
  await tab.page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
  return await stickingOut(tab);
}

async function stickingOut({ page }: Pick<Tab, 'page'>): Promise<string[]> {
  return await page.evaluate<string[]>(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const endOf = (element) => {
      const { left, right } = element.getBoundingClientRect();
      return Math.max(right, getComputedStyle(element).overflowX === 'visible' ? left + element.scrollWidth : 0);
    };
    const wide = [...document.body.querySelectorAll('*')].filter((element) => endOf(element) > clientWidth + 1);
    const told = wide.filter((element) => !wide.some((other) => other !== element && element.contains(other)));
    return ['the page is ' + scrollWidth + ' wide in a window of ' + clientWidth,
      ...told.slice(0, 5).map((element) => 'sticks out: ' + element.outerHTML.slice(0, 200))];
  })()`);
}

/**
 * A picture of the page, to 10,000 pixels from its begin, in the directory that SCREENSHOTS names; none where
 * it is not set.
 */
async function picture({ page }: Tab, name: string): Promise<void> {
  const directory = process.env['SCREENSHOTS'];
  if (!directory) return;
  mkdirSync(directory, { recursive: true });
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  const width = page.viewportSize()?.width ?? 0;
  await page.screenshot({
    path: join(resolve(directory), `${name}.png`),
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, 10_000) },
  });
}
