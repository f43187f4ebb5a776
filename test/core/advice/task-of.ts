import {
  type Instance,
  type InstanceGrounds,
  type InstanceVerdict,
  judgeInstance,
} from '../../../src/core/advice/instance';
import type { LongestRun, OwnTaskShare, TaskShare } from '../../../src/core/task/task-share';
import { HOUR_MS } from '../../../src/core/time';

/** A time in which the task had no pause. */
export const longestRunOf = (
  beginUtcMs: number,
  minutes: number,
  databases = 2,
  isDuringBackups = false,
): LongestRun => ({
  beginUtcMs,
  endUtcMs: beginUtcMs + minutes * 60_000,
  databases,
  isDuringBackups,
  hogs: new Map(),
});

/** A checkpoint task that was watched for eight hours, with what the test wants to be different. */
export function taskOf(
  own: Readonly<Record<number, Partial<OwnTaskShare> & { readonly share: number }>>,
  more: Partial<TaskShare> = {},
): TaskShare {
  const observedMs = more.observedMs ?? 8 * HOUR_MS;
  const databases = new Map(
    Object.entries(own).map(
      ([id, one]) =>
        [
          Number(id),
          { count: 100, mostShare: one.share, variance: 0, late: 90, observedMs, ...one },
        ] as const,
    ),
  );
  const busyShare = [...databases.values()].reduce((sum, { share }) => sum + share, 0);
  return {
    observedMs,
    busyShare,
    margin: 0,
    areBackupsKnown: true,
    databases,
    longestMs: 0,
    longestRun: null,
    hasPause: true,
    scanMs: null,
    job: null,
    ...more,
  };
}

/** What a verdict adds to the instance, where nothing follows. */
export const NOTHING_ADVISED: Omit<InstanceVerdict, keyof Instance> = {
  hurting: [],
  advised: [],
  forecast: null,
  next: null,
  later: [],
  busyBefore: null,
  advisedBefore: null,
  objection: null,
  lastWave: null,
  soFar: null,
  logWrites: 'not read',
  automatic: 312,
  databases: 400,
  watched: 0,
  ran: 0,
};

/** This many alike, numbered from an id on. */
export function manyOf(
  count: number,
  from: number,
  one: Partial<OwnTaskShare> & { readonly share: number },
): Record<number, typeof one> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [from + at, one]));
}

/** The verdict on a task, all of whose databases can be changed, with what the test wants to be different. */
export function judgeTask(task: TaskShare | null, more: Partial<InstanceGrounds> = {}): Instance {
  const changeable = new Set(task?.databases.keys() ?? []);
  return judgeInstance(task, {
    changeable,
    bound: 0.3,
    sinceUtcMs: null,
    intervalMs: 60_000,
    blind: null,
    partly: null,
    before: null,
    ...more,
  });
}
