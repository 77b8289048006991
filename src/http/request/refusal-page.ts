// A refusal as a page for people: what is wrong, and where to go on. It stands alone, since the mirror may be unable to say more.
import { html } from 'hono/html';

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

export function refusalPage({ title, detail, errors, path }: RefusalContent): ReturnType<typeof html> {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · custody-mirror</title>
<link rel="stylesheet" href="/assets/style.css">
<link rel="icon" href="data:,">
</head>
<body>
<header><p class="brand">custody-mirror</p></header>
<main>
<h1>${title}</h1>
<section>${errors.length === 0 ? html`<p>${detail}</p>` : faults(errors, path)}</section>
<p><a href="/">Overview</a> · <a href="/mirror">Mirror</a></p>
</main>
</body>
</html>
`;
}

function faults(errors: readonly Fault[], path: string): ReturnType<typeof html> {
  return html`<p>The address of this page holds values that cannot be used:</p>
<ul>${errors.map(({ name, reason }) => html`<li><code>${name}</code> ${reason}</li>`)}</ul>
<p><a href="${path}">The page without them</a></p>`;
}
