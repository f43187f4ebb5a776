/**
 * All that a busy server has the extension send to each page. Loaded again in another language, it is in that language.
 */
import type { Message } from './page';
import { fakeMessages, FAKE_SERVER } from './fake-capture';
import { fakeEvidence } from './fake-evidence';
import { FAKE_INSTANCE } from './fake-instance';
import { fakeJudged, fakeReview } from './fake-review';
import { FAKE_MARKS, FAKE_SAMPLES } from './fake-samples';

const EVIDENCE = fakeEvidence();

export const SENT_TO_DASHBOARD: readonly Message[] = [
  ...fakeMessages(),
  { type: 'server', server: { ...FAKE_SERVER, instance: { ...FAKE_INSTANCE, ...fakeJudged() } } },
  FAKE_SAMPLES,
  FAKE_MARKS,
  { type: 'evidence', evidence: EVIDENCE },
];
export const SENT_TO_REVIEW: readonly Message[] = fakeReview();
export const SENT_TO_ERROR_LOG: readonly Message[] = [
  { type: 'errorLog', name: 'ERRORLOG.1', page: EVIDENCE.errorLog },
];
