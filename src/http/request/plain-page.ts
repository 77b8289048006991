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
<meta name="color-scheme" content="light dark">
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

/** How to correct the address of a page. */
export interface Correction {
  readonly path: string;
  /** Valid parameters. */
  readonly kept: readonly [name: string, value: string][];
  /** Invalid parameters. */
  readonly fields: readonly { readonly name: string; readonly label: string; readonly value: string }[];
}

interface Refusal {
  readonly detail: string;
  readonly errors?: readonly { readonly name: string; readonly reason: string }[];
  readonly correction?: Correction;
}

/** @param path of the page that was asked for: without its parameters it works */
export function refusalPage(title: string, { detail, errors = [], correction }: Refusal, path: string): Html {
  return plainPage(
    title,
    html`<header><p class="brand">custody-mirror</p></header>
<main>
<h1>${title}</h1>
<section>${errors.length === 0 ? html`<p>${detail}</p>` : faults(errors, correction ?? { path, kept: [], fields: [] })}</section>
<p><a href="/">Overview</a> · <a href="/sync">Sync</a></p>
</main>`,
  );
}

function faults(errors: NonNullable<Refusal['errors']>, correction: Correction): Html {
  const { path, kept, fields } = correction;
  const search = new URLSearchParams([...kept]).toString();
  return html`<p>The address of this page is invalid:</p>
<ul>${errors.map(({ name, reason }) => html`<li><strong>${name}</strong>: ${reason}</li>`)}</ul>
${fields.length === 0 ? '' : form(correction)}
<p><a href="${search === '' ? path : `${path}?${search}`}">Open the page without it</a></p>`;
}

/** To correct it; valid values stay. */
function form({ path, kept, fields }: Correction): Html {
  return html`<form class="panel" method="get" action="${path}">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map(({ name, label, value }) => html`<label><span>${label}</span><input name="${name}" value="${value}" aria-invalid="true"></label>`)}
<p><button type="submit">Show</button></p>
</form>`;
}
