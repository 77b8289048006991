// A page that is made without the database and without scripts: the document around its content.
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
