// The status page for people: plain HTML without scripts and foreign resources. It reloads itself for a reader who asks for that.
// hono's html escapes every text; only the style is raw.
import { html, raw } from 'hono/html';
import { agoInWords, counted, grouped, onOneLine } from '../domain/words.ts';
import { type HealthVerdict, isHealthy } from '../status/health.ts';
import type { KnownStatus } from '../status/latest.ts';
import {
  anomalyInWords,
  completeness,
  countInWords,
  type Judgement,
  jobsInOrder,
  learnedInWords,
  type Mirrored,
  mirroredInWords,
  runInWords,
  runJudgement,
  runRemarks,
} from '../status/words.ts';
import { leftOut, type StatusReport } from '../store/query/status.ts';
import type { JobStatus } from '../store/query/status-jobs.ts';
import type { Health } from './health.ts';
import { style } from './status-style.ts';

type Html = ReturnType<typeof html>;

/** Why the status could not be read. */
export interface StatusFault {
  readonly code: string;
  readonly message: string;
}

export interface StatusPageContent {
  /** The last report that was read, and the present time; null before the first. */
  readonly known: KnownStatus | null;
  readonly fault: StatusFault | null;
  readonly health: Health;
  readonly version: string;
  /** Whether it reloads itself. A page that does so unasked takes the reader's place away (WCAG 2.2.1). */
  readonly reloads?: boolean;
}

/** Seconds after which the browser asks again. */
const reloadSeconds = 10;

export function statusPage({ known, fault, health, version, reloads = false }: StatusPageContent): Html {
  const report = known?.report ?? null;
  const verdict = report === null || fault !== null ? null : isHealthy(report);
  const sign = verdict?.healthy === true && health.ready ? '●' : '▲';
  const title = report === null ? 'custody-mirror' : `${report.account} · custody-mirror`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${reloads ? html`<meta http-equiv="refresh" content="${reloadSeconds}">` : ''}
<title>${sign} ${onOneLine(title)}</title>
<style>${raw(style)}</style>
</head>
<body>
<header><h1>custody-mirror${report === null ? '' : `, account ${onOneLine(report.account)}`}</h1>
<span class="soft">${report?.baseUrl === null || report === null ? '' : onOneLine(report.baseUrl)}</span></header>
<main>
${fault === null ? '' : faultSection(fault, known)}
${processSection(health)}
${known === null ? '' : reportSections(known, verdict, health)}
</main>
<footer>
<span>${known === null ? '' : `read ${shortMoment(known.report.readAt)} (${agoInWords(known.report.readAt, known.now)})`}</span>
${reloads ? html`<span>reloads every ${reloadSeconds} s</span> <a href="/">stop</a>` : html`<a href="/?reload">reload every ${reloadSeconds} s</a>`}
<a href="/status.json">as JSON</a> <a href="/metrics">metrics</a> <a href="/api">read API</a>
<span>custody-mirror ${version}</span>
</footer>
</body>
</html>
`;
}

/** While the status cannot be read, the state of the mirror is unknown: the last report is shown as an old one. */
function faultSection({ code, message }: StatusFault, known: KnownStatus | null): Html {
  const rest =
    known === null
      ? 'The state of the mirror is unknown until the database answers.'
      : `The rest of this page shows the last known state, ${agoInWords(known.report.readAt, known.now)}.`;
  const since = known === null ? '' : ` since ${shortMoment(known.report.readAt)}`;
  return html`<section class="verdict bad"><h2>Unknown${since}: the status cannot be read</h2>
<p>${onOneLine(message)} <span class="soft">(${code})</span></p><p class="soft">${rest}</p></section>`;
}

/** Empty while this process works. */
function processSection({ alive, ready, reasons }: Health): Html | string {
  if (alive && ready) return '';
  return html`<section class="verdict note"><h2>This process is not ready</h2>${list(reasons)}</section>`;
}

/** @param verdict null while it is unknown */
function reportSections({ report, now }: KnownStatus, verdict: HealthVerdict | null, health: Health): Html {
  return html`${verdict === null ? '' : verdictSection(verdict, leftOut(report))}
<div${verdict === null ? raw(' class="old"') : ''}>
<div class="tiles">${mirroredInWords(report, now).map(tile)}</div>
${jobsSection(report, now)}
${findingsSection(report, now)}
${leaseSection(report, now, health)}
${learnedSection(report, now)}</div>`;
}

function verdictSection({ healthy, reasons }: HealthVerdict, resourcesOff: readonly string[]): Html {
  const all = resourcesOff.length === 0 ? 'Everything' : `Everything but ${resourcesOff.join(' and ')}`;
  return healthy
    ? html`<section class="verdict"><h2>Healthy</h2><p class="soft">${all} is mirrored and fresh.</p></section>`
    : html`<section class="verdict bad"><h2>Needs attention</h2>${list(reasons)}</section>`;
}

function tile(mirrored: Mirrored): Html {
  const { resource, remarks } = mirrored;
  return html`<section><h2>${resource}</h2><div class="figure">${countInWords(mirrored)}</div>
${remarks.map((remark) => html`<p class="soft">${remark}</p>`)}</section>`;
}

function jobsSection(report: StatusReport, now: string): Html {
  if (report.jobs.length === 0)
    return html`<section><h2>Jobs</h2><p class="soft">No job has run yet.</p></section>`;
  return html`<section><h2>Jobs</h2><table>
<thead><tr><th>Job</th><th>Last success</th><th>Last run</th><th>Complete</th></tr></thead>
<tbody>${jobsInOrder(report).map((job) => jobRow(job, now))}</tbody></table></section>`;
}

function jobRow(job: JobStatus, now: string): Html {
  const { lastRun, lastSucceededAt, lastVerifiedAt } = job;
  const complete = completeness(job);
  const startedAt = lastRun.finishedAt ?? lastRun.startedAt;
  return html`<tr><td><strong>${onOneLine(job.job)}</strong></td>
<td data-label="Last success">${moment(lastSucceededAt, now)}</td>
<td data-label="Last run">${pill(runJudgement(lastRun))} ${moment(startedAt, now)}
<p class="soft">${runInWords(lastRun)}</p>${runRemarks(job).map((remark) => html`<p class="soft">${remark}</p>`)}</td>
<td data-label="Complete">${complete === null ? '' : pill(complete)}
${lastVerifiedAt === null || lastRun.verified === true ? '' : html`<p class="soft">verified ${moment(lastVerifiedAt, now)}</p>`}</td></tr>`;
}

function findingsSection({ anomalies, quarantine }: StatusReport, now: string): Html {
  const open = quarantine.filter((found) => found.open > 0);
  if (open.length === 0 && anomalies.length === 0)
    return html`<section><h2>Anomalies and quarantine</h2><p class="soft">None is open.</p></section>`;
  return html`<section><h2>Anomalies and quarantine</h2><table>
<thead><tr><th>Open</th><th>What</th><th>Last seen</th></tr></thead><tbody>
${open.map(
  (found) => html`<tr><td class="number">${grouped(found.open)}</td>
<td>${onOneLine(found.resource)} that could not be read <p class="soft">kept in <code>sync.quarantine</code> with the reason</p></td>
<td data-label="Last seen">${moment(found.lastObservedAt, now)}</td></tr>`,
)}
${anomalies.map(
  (found) => html`<tr><td class="number">${grouped(found.open)}</td>
<td>${anomalyInWords(found.kind) ?? onOneLine(found.kind)} <p class="soft"><code>${onOneLine(found.kind)}</code> in <code>sync.anomalies</code></p></td>
<td data-label="Last seen">${moment(found.lastObservedAt, now)}</td></tr>`,
)}</tbody></table></section>`;
}

const roles: Readonly<Record<Health['role'], string>> = {
  writer: 'This process may write.',
  standby: 'This process stands by and takes over when the writer ends.',
  starting: 'This process is starting.',
  stopping: 'This process is stopping.',
};

const lostInWords = 'This process lost its lease and takes it again automatically.';

function leaseSection({ lease }: StatusReport, now: string, { role, holder }: Health): Html {
  const isOwn = lease !== null && lease.holder === holder;
  const own = html`<p class="soft">${role === 'standby' && isOwn ? lostInWords : roles[role]}</p>`;
  if (lease === null)
    return html`<section><h2>Who writes</h2><p>No process: nothing is mirrored until one does.</p>${own}</section>`;
  return html`<section><h2>Who writes</h2><p><code>${onOneLine(lease.holder)}</code>
<span class="soft">since ${moment(lease.acquiredAt, now)}</span></p>${own}</section>`;
}

function learnedSection(report: StatusReport, now: string): Html {
  const learned = learnedInWords(report);
  if (learned.length === 0)
    return html`<section><h2>Learned about the service</h2><p class="soft">Nothing yet.</p></section>`;
  return html`<section><h2>Learned about the service</h2>
<p class="soft">${counted(learned.length, 'fact')} that the service does not document, learned from its answers.</p><table>
<thead><tr><th>Fact</th><th>Value</th><th>Evidence</th><th>Learned</th></tr></thead><tbody>
${learned.map(
  ({ fact, value, evidence, updatedAt }) => html`<tr><td><code>${onOneLine(fact)}</code></td>
<td data-label="Value">${onOneLine(value)}</td><td class="soft">${onOneLine(evidence)}</td>
<td data-label="Learned">${moment(updatedAt, now)}</td></tr>`,
)}</tbody></table></section>`;
}

function list(texts: readonly string[]): Html {
  return html`<ul>${texts.map((text) => html`<li>${onOneLine(text)}</li>`)}</ul>`;
}

function pill({ word, tone }: Judgement): Html {
  return html`<span class="pill ${tone}">${word}</span>`;
}

/** An age; its title and `datetime` hold the time itself. */
function moment(at: string | null, now: string): Html {
  if (at === null) return html`never`;
  return html`<time datetime="${at}" title="${shortMoment(at)}">${agoInWords(at, now)}</time>`;
}

function shortMoment(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
