/** All that a busy server has the extension send to each page. Loaded again in another language, it is in that language. */
import type { Message } from './page';
import { fakeCheckpoints, fakeMessages, FAKE_GAP, FAKE_SERVER } from './fake-capture';
import { FAKE_INSTANCE } from './fake-instance';
import { fakeJudged, fakeReview } from './fake-review';
import { fakeMarks, fakeSamples } from './fake-samples';
import { fakeServerEvidence } from './fake-server-evidence';

const CHECKPOINTS = fakeCheckpoints(45, FAKE_GAP);
const EVIDENCE = fakeServerEvidence();

export const SENT_TO_DASHBOARD: readonly Message[] = [
  ...fakeMessages(),
  { type: 'server', server: { ...FAKE_SERVER, instance: { ...FAKE_INSTANCE, ...fakeJudged() } } },
  fakeSamples(CHECKPOINTS),
  fakeMarks(CHECKPOINTS),
  { type: 'evidence', evidence: EVIDENCE },
];
export const SENT_TO_REVIEW: readonly Message[] = fakeReview();
export const SENT_TO_ERROR_LOG: readonly Message[] = [{ type: 'errorLog', name: 'ERRORLOG.1', page: EVIDENCE.errorLog }];
