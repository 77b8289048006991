// The mirror itself: whether it is healthy and what to do, its jobs, who writes, what it asks of the service and what it learned.
import type { Health as Figures } from '../../../../packages/client/src/generated/types/api-types.ts';
import { resources } from '../../../domain/jobs.ts';
import type { StatusSeen } from '../../request/status-seen.ts';
import type { Page, Rendered } from '../page/page.ts';
import { MirrorReport } from './report.tsx';

export const mirrorPage: Page = {
  path: '/mirror',
  section: 'mirror',
  about: resources,
  parameters: {},
  async show({ ask, status }) {
    const health = await ask.known('getHealth');
    return rendered(await status(), 'answer' in health ? health.answer.data : null);
  },
  showAway: (seen) => rendered(seen, null),
};

function rendered(seen: StatusSeen, figures: Figures | null): Rendered {
  return {
    title: 'Mirror',
    content: <MirrorReport seen={seen} figures={figures} />,
    status: seen.fault === null ? 200 : 503,
  };
}
