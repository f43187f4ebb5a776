import type { Proposal } from '../../../src/core/advice/proposal';
import type { ReviewText } from '../../../src/core/script/text';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import type { ToReview } from '../../../src/protocol';
import { ReviewSession } from '../../../src/shell/review/review-session';
import { FakeConversation } from '../../shell/fake-conversation';
import { createFakeLog } from '../../shell/fake-editor';

/** What the editor's review opens, in the order in which it opens: its scripts, then its change record. */
export async function openReview(monitor: ServerMonitor, proposal: Proposal): Promise<readonly string[]> {
  const opened: string[] = [];
  const posted: ToReview[] = [];
  const conversation = new FakeConversation();
  const session = new ReviewSession(
    {
      serverId: 'server',
      monitor: async () => monitor,
      editor: { open: async (text: ReviewText) => void opened.push(text) },
      conversation,
      log: createFakeLog(),
      post: (message) => void posted.push(message),
      schedule: (_delayMs, task) => {
        task();
        return { dispose: () => undefined };
      },
      compare: () => Promise.resolve(),
      lastOpened: { get: () => undefined, set: () => undefined },
    },
    proposal,
  );
  await session.receive({ type: 'ready' });
  while (!posted.some((message) => message.type === 'page' && message.page.revision === 1))
    await new Promise((go) => setTimeout(go, 20));
  await session.receive({ type: 'open', revision: 1 });
  await session.receive({ type: 'openRecord', revision: 1 });
  session.dispose();
  return [...opened, ...conversation.shown];
}
