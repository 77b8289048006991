// A refusal as a page for people: what is wrong, and where to go on. It stands alone, since the mirror may be
// unable to say more.
import { html } from 'hono/html';
import { type Html, plainPage } from './plain-page.ts';

/** A parameter that is wrong. */
interface Fault {
  readonly name: string;
  readonly reason: string;
}

interface RefusalContent {
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly Fault[];
  /** Path of the page that was asked for: without its parameters it works. */
  readonly path: string;
}

export function refusalPage({ title, detail, errors, path }: RefusalContent): Html {
  return plainPage(
    title,
    html`<header><p class="brand">custody-mirror</p></header>
<main>
<h1>${title}</h1>
<section>${errors.length === 0 ? html`<p>${detail}</p>` : faults(errors, path)}</section>
<p><a href="/">Overview</a> · <a href="/mirror">Mirror</a></p>
</main>`,
  );
}

function faults(errors: readonly Fault[], path: string): Html {
  return html`<p>The address of this page holds values that cannot be used:</p>
<ul>${errors.map(({ name, reason }) => html`<li><code>${name}</code> ${reason}</li>`)}</ul>
<p><a href="${path}">The page without them</a></p>`;
}
