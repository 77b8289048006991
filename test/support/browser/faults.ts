// What a page must not do, noted while a tab is open.
import type { CDPSession, Page } from 'playwright-core';

export interface Faults {
  readonly lines: readonly string[];
  /** Forgets what was noted; from now on, what does not belong to the origin of this address is elsewhere. */
  begin(url: string): void;
  /** Waits until the browser has told what it knows. */
  settle(): Promise<void>;
}

export async function noteFaults(page: Page, session: CDPSession): Promise<Faults> {
  const lines: string[] = [];
  let origin = '';
  const note = (kind: string, text: string) => lines.push(`${kind}: ${text}`);
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (/^(https?|wss?|ftp):$/.test(protocol) && asked !== origin) note('elsewhere', request.url());
  });
  page.on('websocket', (socket) => note('elsewhere', socket.url()));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    // A download and a page that is left end a request too; what the policy refused is told as `csp`.
    if (!['net::ERR_ABORTED', 'csp'].includes(reason)) note('network', `${request.url()}: ${reason}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400) note('http', `${answer.status()} ${answer.url()}`);
  });
  page.on('pageerror', (error) => note('script', error.message));
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    // Both are told by others, with what belongs to them.
    if (/Content Security Policy|^Failed to load resource/.test(message.text())) return;
    note('console', message.text());
  });
  await notePolicy(session, (text) => note('csp', text));
  return {
    lines,
    begin(url) {
      lines.length = 0;
      ({ origin } = new URL(url));
    },
    settle: async () => void (await session.send('Runtime.evaluate', { expression: '0' })),
  };
}

/** The browser's own findings: they come without JavaScript in the page too. */
async function notePolicy(session: CDPSession, note: (text: string) => void): Promise<void> {
  session.on('Audits.issueAdded', ({ issue }) => {
    const found = issue.details.contentSecurityPolicyIssueDetails;
    if (found === undefined) return;
    const place = found.sourceCodeLocation;
    const what = found.blockedURL ?? found.contentSecurityPolicyViolationType;
    note(
      `${found.violatedDirective} refused ${what}${place === undefined ? '' : ` in ${place.url}:${place.lineNumber + 1}`}`,
    );
  });
  await session.send('Audits.enable');
}
