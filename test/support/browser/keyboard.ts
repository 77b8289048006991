// A page as somebody uses it who has only a keyboard.
import type { CDPSession } from 'playwright-core';
import type { Tab } from './tab.ts';

export interface Focused {
  /** As a screen reader tells it: `link`, `button`, `textbox`, … */
  readonly role: string;
  readonly name: string;
  /** Whether something shows where the focus is: an outline or a shadow. */
  readonly isShown: boolean;
}

/**
 * Walks through the page with the Tab key, from its begin to its end, and returns where the focus was, in
 * order.
 */
export async function walkByTab({ page }: Tab, { atMost = 500 } = {}): Promise<Focused[]> {
  const session = await page.context().newCDPSession(page);
  try {
    await page.evaluate('document.activeElement?.blur(); getSelection()?.removeAllRanges()');
    const walked: Focused[] = [];
    while (walked.length < atMost) {
      await page.keyboard.press('Tab');
      const focused = await focusedNow(session);
      if (focused === null) return walked;
      walked.push(focused);
    }
    throw new Error(`the page has more than ${atMost} places for the focus, or holds it`);
  } finally {
    await session.detach();
  }
}

/** Null where nothing has the focus: it left the page. */
async function focusedNow(session: CDPSession): Promise<Focused | null> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'document.activeElement === document.body ? null : document.activeElement',
  });
  if (result.objectId === undefined) return null;
  const { objectId } = result;
  const [{ nodes }, shown] = await Promise.all([
    session.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false }),
    session.send('Runtime.callFunctionOn', { objectId, functionDeclaration: isShown, returnByValue: true }),
  ]);
  return {
    role: String(nodes[0]?.role?.value ?? ''),
    name: String(nodes[0]?.name?.value ?? ''),
    isShown: shown.result.value === true,
  };
}

const isShown = `function () {
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(this);
  return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
}`;
