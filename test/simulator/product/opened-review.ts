import type { Proposal } from '../../../src/core/advice/proposal';
import type { ReviewText } from '../../../src/core/script/text';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import type { ToReview } from '../../../src/protocol';
import { createLog } from '../../../src/shell/kit/log';
import { ReviewSession } from '../../../src/shell/review/review-session';
import { FakeConversation } from '../../shell/fake-conversation';

/** What the editor's review opens, in the order in which it opens: its scripts, then its change record. */
export async function openReview(monitor: ServerMonitor, proposal: Proposal): Promise<readonly string[]> {
  const opened: string[] = [];
  const posted: ToReview[] = [];
  const silent = (): void => undefined;
  const session = new ReviewSession(
    {
      serverId: 'server',
      monitor: async () => monitor,
      editor: { open: async (text: ReviewText) => void opened.push(text) },
      conversation: Object.assign(new FakeConversation(), { showText: async (text: string) => void opened.push(text) }),
      log: createLog({ info: silent, warn: silent, error: silent }),
      post: (message) => void posted.push(message),
      schedule: (_delayMs, task) => {
        task();
        return { dispose: silent };
      },
      compare: () => Promise.resolve(),
      lastOpened: { get: () => undefined, set: silent },
    },
    proposal,
  );
  await session.receive({ type: 'ready' });
  while (!posted.some(({ type }) => type === 'page')) await new Promise((go) => setTimeout(go, 20));
  await session.receive({ type: 'open', revision: 1 });
  await session.receive({ type: 'openRecord', revision: 1 });
  session.dispose();
  return opened;
}
