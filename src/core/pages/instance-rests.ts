/** What the figures of the verdict on the instance rest on. */
import {
  countDatabases,
  formatCount,
  formatDuration,
  formatMinutes,
  formatPercent,
  countCheckpoints,
} from '../format';
import { countTurns, describeUnreadBackups, type InstanceVerdict } from '../advice/instance';
import type { Forecast } from '../advice/forecast';
import { joinSentences, t } from '../language';
import type { TaskShare } from '../task/task-share';
import { findLast } from './forecast-words';
import { describeByWaits, describeHeldBack } from './task-tables';
import type { Named } from './words';

/** A name and a text each. */
export function listRests(instance: InstanceVerdict): readonly Named[] {
  const { task, forecast, byWaits = null } = instance;
  if (task === null || instance.neededMs > 0) {
    const text = t(
      'Elapsed time minus the CHECKPOINT_QUEUE wait. Manual checkpoints do not count. Not yet tried on a real server.',
    );
    return byWaits === null
      ? []
      : [{ name: t('Busy'), text: joinSentences(text, describeHeldBack(byWaits)) }];
  }
  const [last, { scanMs }] = [findLast(forecast), task];
  const scan =
    scanMs === null
      ? ''
      : t('9 in 10 take {0} or longer. Each scans the buffer pool.', formatDuration(scanMs));
  return [
    { name: t('Busy'), text: describeBusy(instance, task) },
    ...(last === undefined ? [] : describeEnds(instance, task, last)),
    ...(scan === '' ? [] : [{ name: t('One checkpoint'), text: scan }]),
    { name: t('Not forecast'), text: t('Total writes. They may rise; Before / after shows them.') },
  ];
}

function describeBusy({ observedMs, byWaits = null }: InstanceVerdict, task: TaskShare): string {
  const run = task.longestRun;
  const seconds = (ms: number): string => formatCount(ms / 1000);
  const checkpoints = countCheckpoints(countTurns(task).turns);
  return joinSentences(
    t('{0} of {1} s, in {2}.', seconds(task.busyShare * observedMs), seconds(observedMs), checkpoints),
    run === null ? '' : t('Longest time without a pause: {0}.', formatMinutes(run.endUtcMs - run.beginUtcMs)),
    describeByWaits(byWaits, task),
    describeHeldBack(byWaits),
    describeUnreadBackups(task),
  );
}

/** What the two ends of the forecast rest on. */
function describeEnds(
  { advised, takers, room }: InstanceVerdict,
  task: TaskShare,
  last: Forecast,
): readonly Named[] {
  const stay = countDatabases(Math.max(0, takers - advised.filter((id) => task.databases.has(id)).length));
  const likely = {
    name: t('Likely, {0}', formatPercent(last.likely ?? 0)),
    text: t(
      'The more log a database writes, the sooner its next checkpoint is due. This is how often one would be due without a queue.',
    ),
  };
  return [
    ...(last.likely === undefined ? [] : [likely]),
    {
      name: t('Low end, {0}', formatPercent(last.low)),
      text: t(
        'Databases that stay automatic ({0}), as often as measured, minus the chance variation of half an hour.',
        stay,
      ),
    },
    {
      name: t('High end, {0}', formatPercent(last.high)),
      text: joinSentences(
        t('The same databases and durations, but as often as the capture allows.'),
        t(
          'The capture shows how long a database paused before its next checkpoint. We assume at least that pause, and at least half a recovery interval.',
        ),
        room < 0.01 ? '' : t('Plus {0} for databases with no checkpoint yet.', formatPercent(room)),
        t('Plus the chance variation of half an hour.'),
      ),
    },
  ];
}
