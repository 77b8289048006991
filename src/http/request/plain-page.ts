// Pages that are made without the database and without scripts, and a refusal as one of them, since the
// mirror may be unable to say more.
import { html } from 'hono/html';

export type Html = ReturnType<typeof html>;

export function plainPage(title: string, content: Html): Html {
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
${content}
</body>
</html>
`;
}

/** A parameter that is wrong. */
interface Fault {
  readonly name: string;
  readonly reason: string;
}

/** @param path of the page that was asked for: without its parameters it works */
export function refusalPage(title: string, detail: string, errors: readonly Fault[], path: string): Html {
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
