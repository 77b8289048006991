// The status report as a page. While it cannot be read, the last one is shown as an old one, and since when all is unknown.
import type { Health as Figures } from '../../../../packages/client/src/generated/types/api-types.ts';
import { agoInWords, onOneLine } from '../../../domain/words.ts';
import { countInWords, mirroredInWords } from '../../../status/words.ts';
import type { ProcessState } from '../../request/process-state.ts';
import type { StatusFault, StatusSeen } from '../../request/status-seen.ts';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { addressOf, type View } from '../view/view.ts';
import { FindingsSection } from './findings.tsx';
import { HealthSection } from './health.tsx';
import { JobsSection } from './jobs.tsx';
import { LearnedSection, RequestsSection, WriterSection } from './service.tsx';

export interface ReportProps {
  readonly view: View;
  readonly seen: StatusSeen;
  /** Of the last 24 hours; null while they are not known. */
  readonly figures: Figures | null;
}

export function MirrorReport({ view: given, seen, figures }: ReportProps) {
  const { known, fault, process, processAccount } = seen;
  // Ages count by the clock of the database, which wrote the moments.
  const view = known === null ? given : { ...given, now: known.now };
  const report = known?.report ?? null;
  return (
    <>
      {fault === null ? null : <FaultNotice view={view} fault={fault} readAt={report?.readAt ?? null} />}
      {process === null ? (
        <Notice tone="plain" title="Another process mirrors this account">
          <p>
            This process mirrors <bdi>{onOneLine(processAccount)}</bdi>. What follows is what the database
            holds of <bdi>{onOneLine(view.account)}</bdi>.
          </p>
        </Notice>
      ) : (
        <ProcessNotice process={process} />
      )}
      {report === null ? null : (
        <div id="report" class={fault === null ? undefined : 'old'}>
          {fault === null ? <HealthSection view={view} report={report} /> : null}
          <div class="tiles" id="mirrored">
            {mirroredInWords(report, view.now).map((mirrored) => (
              <section>
                <h2>{mirrored.resource}</h2>
                <div class="figure">{countInWords(mirrored)}</div>
                {mirrored.remarks.map((remark) => (
                  <p class="soft">{remark}</p>
                ))}
              </section>
            ))}
          </div>
          <JobsSection view={view} report={report} />
          <FindingsSection view={view} report={report} />
          <WriterSection view={view} report={report} process={process} />
          <RequestsSection view={view} report={report} figures={figures} />
          <LearnedSection view={view} report={report} />
          <p class="soft">
            Read from <bdi>{report.baseUrl === null ? 'no address yet' : onOneLine(report.baseUrl)}</bdi>.
            Status of <Moment view={view} at={report.readAt} as="both" />, also{' '}
            <a href={addressOf(view, '/status.json')}>as JSON</a>.
          </p>
        </div>
      )}
    </>
  );
}

interface FaultProps {
  readonly view: View;
  readonly fault: StatusFault;
  readonly readAt: string | null;
}

function FaultNotice({ view, fault, readAt }: FaultProps) {
  return (
    <section class="verdict bad" id="fault">
      <h2>
        Unknown
        {readAt === null ? null : (
          <>
            {' '}
            since <Moment view={view} at={readAt} />
          </>
        )}
        : the status cannot be read
      </h2>
      <p>
        {onOneLine(fault.message)} <span class="soft">({fault.code})</span>
      </p>
      <p class="soft">
        {readAt === null
          ? 'The state of the mirror is unknown until the database answers.'
          : `What follows is the last known state, ${agoInWords(readAt, view.now)}.`}
      </p>
    </section>
  );
}

/** Empty while this process works. */
function ProcessNotice({ process: { alive, ready, reasons } }: { readonly process: ProcessState }) {
  if (alive && ready) return null;
  return (
    <Notice tone="note" title="This process is not ready">
      <ul>
        {reasons.map((reason) => (
          <li>{onOneLine(reason)}</li>
        ))}
      </ul>
    </Notice>
  );
}
