// Whether the mirror is healthy and what to do, its jobs, the writer, requests, and what was learned. While
// the status cannot be read, the last one is shown as old, with the time since when it is unknown.
import type * as api from '../api/ask.ts';
import { agoInWords, countInWords, mirroredInWords, onOneLine, resources } from '../api/words.ts';
import type { Page, Rendered } from '../page/page.ts';
import { List, Notice } from '../parts/notice.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { useView, ViewProvider } from '../view/view.ts';
import { FindingsSection } from './findings.tsx';
import { JobsSection } from './jobs.tsx';
import { HealthSection, LearnedSection, RequestsSection, SealedSection, WriterSection } from './report.tsx';

export const syncPage: Page = {
  path: '/sync',
  section: 'sync',
  about: resources,
  parameters: {},
  async show({ ask, status }) {
    const { data: figures } = await ask.known('getHealth');
    const seen = await status();
    const runs = [];
    for (const { job } of seen.known?.report.jobs ?? [])
      runs.push(...(await ask.cached('listRuns', { job, limit: runsShown })).data);
    return rendered({ seen, figures, runs });
  },
  showOffline: (seen) => rendered({ seen, figures: null, runs: [] }),
};

const runsShown = 48;

function rendered(known: ReportProps): Rendered {
  const status = known.seen.fault === null ? 200 : 503;
  return { title: 'Sync', content: <SyncReport {...known} />, status };
}

export interface ReportProps {
  readonly seen: api.CachedStatus;
  readonly figures: api.Health | null;
  readonly runs: readonly api.Run[];
}

export function SyncReport(props: ReportProps) {
  const view = useView();
  // Ages count by the clock of the database, which wrote the moments.
  return (
    <ViewProvider value={{ ...view, now: props.seen.known?.now ?? view.now }}>
      <Report {...props} />
    </ViewProvider>
  );
}

function Report(props: ReportProps) {
  const view = useView();
  const { known, fault, process, processAccount } = props.seen;
  return (
    <>
      {fault && <FaultNotice fault={fault} readAt={known?.report.readAt ?? null} />}
      {process === null ? (
        <Notice tone="plain" title="Another process mirrors this account">
          <p>
            This process mirrors <bdi>{onOneLine(processAccount)}</bdi>. The data below is what the database
            holds for <bdi>{onOneLine(view.account)}</bdi>.
          </p>
        </Notice>
      ) : (
        <ProcessNotice process={process} />
      )}
      {fault !== null && known !== null ? (
        <div class="old items">
          <State {...props} report={known.report} />
        </div>
      ) : (
        known && [<HealthSection report={known.report} />, <State {...props} report={known.report} />]
      )}
    </>
  );
}

function State({ seen, figures, runs, report }: ReportProps & { readonly report: api.StatusReport }) {
  const { now } = useView();
  return (
    <>
      <div class="tiles" id="mirrored">
        {mirroredInWords(report, now).map((mirrored) => (
          <section>
            <h2>{mirrored.resource}</h2>
            <div class="figure">{countInWords(mirrored)}</div>
            {mirrored.remarks.map((remark) => (
              <p class="soft">{remark}</p>
            ))}
          </section>
        ))}
      </div>
      <JobsSection report={report} runs={runs} />
      <FindingsSection report={report} />
      <WriterSection report={report} process={seen.process} />
      <SealedSection report={report} />
      <RequestsSection report={report} figures={figures} />
      <LearnedSection report={report} />
      <p class="soft">
        Read from <bdi>{report.baseUrl === null ? 'no address yet' : onOneLine(report.baseUrl)}</bdi>. Status
        of <Moment at={report.readAt} as="both" />, also <Link to="/status.json">as JSON</Link>.
      </p>
    </>
  );
}

function FaultNotice({ fault, readAt }: { readonly fault: api.StatusFault; readonly readAt: string | null }) {
  const { now } = useView();
  const since = readAt && [' since ', <Moment at={readAt} />];
  return (
    <Notice id="fault" tone="bad" title={['Unknown', since, ': the status cannot be read']}>
      <p>
        {onOneLine(fault.message)} <span class="soft">({fault.code})</span>
      </p>
      <p class="soft">
        {readAt === null
          ? 'The state is unknown until the database answers.'
          : `Below is the last known state, from ${agoInWords(readAt, now)}.`}
      </p>
    </Notice>
  );
}

function ProcessNotice({ process: { ready, reasons } }: { readonly process: api.ProcessState }) {
  if (ready) return null;
  return (
    <Notice tone="note" title="This process is not ready">
      <List items={reasons.map(onOneLine)} />
    </Notice>
  );
}
