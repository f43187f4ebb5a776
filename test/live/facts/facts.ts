import { changeFacts } from './changes';
import { taskFacts } from './checkpoint-tasks';
import { sessionFacts } from './event-sessions';
import type { Fact } from './judgement';

/** Every fact that is looked at on a live server. */
export const facts: readonly Fact[] = [...taskFacts, ...sessionFacts, ...changeFacts];
