// The style of the status page. It is inline, and the browser accepts it by its digest; no other style is allowed.
import { createHash } from 'node:crypto';

export const style = `
:root{color-scheme:light dark;
--page:#f6f7f9;--card:#fff;--ink:#1b2330;--soft:#5b6678;--line:#e1e5eb;
--good:#12704a;--good-tint:#e3f4ec;--bad:#b3261e;--bad-tint:#fdeceb;--note:#8a5a00;--note-tint:#fdf3dc}
@media (prefers-color-scheme:dark){:root{
--page:#10141b;--card:#181e28;--ink:#e6eaf1;--soft:#98a4b6;--line:#2a3342;
--good:#5ed0a0;--good-tint:#12301f;--bad:#ff8f86;--bad-tint:#3a1715;--note:#f0c36a;--note-tint:#33270d}}
*{box-sizing:border-box}
body{margin:0;padding:1.5rem 1rem 3rem;background:var(--page);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main,header,footer{max-width:64rem;margin:0 auto}
header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;margin-bottom:1rem}
h1{font-size:1.35rem;margin:0;overflow-wrap:anywhere}
h2{font-size:1rem;margin:0 0 .75rem}
p{margin:.25rem 0}
.soft,footer{color:var(--soft);font-size:.875rem}
.soft{overflow-wrap:anywhere}
section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem 1.25rem;margin-bottom:1rem}
.verdict{border-left:.375rem solid var(--good)}
.verdict.bad{border-left-color:var(--bad)}
.verdict.note{border-left-color:var(--note)}
.verdict h2{font-size:1.15rem;margin:0}
ul{margin:.5rem 0 0;padding-left:1.25rem}
li{overflow-wrap:anywhere}
.old{filter:grayscale(1)}
.old section{border-style:dashed}
.tiles{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));margin-bottom:1rem}
.tiles section{margin:0}
.figure{font-size:1.75rem;font-weight:600;line-height:1.2;font-variant-numeric:tabular-nums}
.pill{display:inline-block;padding:0 .55rem;border-radius:1rem;font-size:.8125rem;font-weight:600;white-space:nowrap}
.plain{color:var(--soft);background:var(--line)}
.good{color:var(--good);background:var(--good-tint)}
.bad.pill{color:var(--bad);background:var(--bad-tint)}
.note.pill{color:var(--note);background:var(--note-tint)}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600;color:var(--soft);font-size:.8125rem;padding:.25rem .75rem .25rem 0}
td{padding:.5rem .75rem .5rem 0;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
td.number{text-align:right;font-variant-numeric:tabular-nums}
code{font:.875em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
nav{margin-bottom:1rem}
a{color:inherit}
footer{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
@media (max-width:40rem){
thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
tr{display:block;padding:.5rem 0;border-top:1px solid var(--line)}
tbody tr:first-child{border-top:0}
td{display:block;border:0;padding:.125rem 0}
td.number{text-align:left}
td[data-label]::before{content:attr(data-label) " ";color:var(--soft);font-size:.8125rem}}
`;

/** What the content security policy allows as a style: this one. */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
