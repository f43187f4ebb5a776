/** What a script rests on, in its heading: in English, unlike the words on the screen. */
import type { Instance, InstanceState } from '../advice/instance';
import { english, LEAST_FOR_PERCENTILE } from '../format';
import type { CheckpointStatistics } from '../statistics/statistics';

/** What a capture holds. */
interface CaptureCounts {
  readonly checkpoints: number;
  readonly unpaired: number;
  readonly observedMs: number;
}

/** @param instance null: not judged @param counts null: nothing was captured */
export function describeEvidence(
  instance: Pick<Instance, 'state' | 'task' | 'takers' | 'partly'> | null,
  counts: CaptureCounts | null,
): string {
  const sentences = [
    ...(instance === null ? [] : describeTask(instance)),
    ...(counts === null ? [] : [describeCounts(counts)]),
  ];
  return sentences.length === 0 ? 'nothing was measured.' : sentences.join(' ');
}

const STATE_WORDS: Readonly<Record<InstanceState, string>> = {
  saturated: 'the checkpoint task is almost never free',
  'queue at times': 'the checkpoint task has a queue at times',
  'mostly free': 'the checkpoint task is mostly free',
  'cannot tell yet': 'the checkpoint task was not measured long enough',
  'cannot tell': 'the checkpoint task cannot be judged',
};

function describeTask({
  state,
  task,
  takers,
  partly,
}: Pick<Instance, 'state' | 'task' | 'takers' | 'partly'>): readonly string[] {
  if (task === null || task.observedMs === 0) return [];
  const busy = `${partly === null ? '' : 'at least '}${english.formatPercent(task.busyShare)} of ${english.formatDuration(task.observedMs)}`;
  const turns = takers > 1 ? [`${english.countDatabases(takers)} take turns on it.`] : [];
  return [`${STATE_WORDS[state]}: busy ${busy}.`, ...turns];
}

function describeCounts({ checkpoints, unpaired, observedMs }: CaptureCounts): string {
  const seen = `${english.countOf(checkpoints, 'checkpoint')} in ${english.formatDuration(observedMs)} observed`;
  return `${seen}, ${english.countOf(unpaired, 'event')} unpaired.`;
}

/**
 * Of one database.
 * @param statistics null: it had none in that time
 * @param isSince that time is the one since the last change
 */
export function describeCheckpoints(statistics: CheckpointStatistics | null, isSince: boolean): string {
  const { count = 0, share = null, p95Ms = null, maximumMs = null } = statistics ?? {};
  const counted = `${english.countOf(count, 'checkpoint')}${isSince ? ' since the last change' : ''}`;
  const p95 = count < LEAST_FOR_PERCENTILE ? '' : `, p95 ${english.formatDuration(p95Ms ?? 0)}`;
  const longest = maximumMs === null ? '' : `, longest ${english.formatDuration(maximumMs)}`;
  return `${counted}${p95}${longest}${share === null ? '' : `, ${english.formatPercent(share)} of the time`}`;
}
