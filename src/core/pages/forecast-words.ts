/** A forecast of the checkpoint task in words. */
import { countOf, formatPercent } from '../format';
import type { Forecast, ForecastSteps } from '../advice/forecast';
import type { InstanceVerdict } from '../advice/instance';
import { joinSentences, t } from '../language';
import type { TaskShare } from '../task/task-share';
import type { Named } from './words';

/** "6 to 29 %", "97 %". */
export function formatRange({ low, high }: Forecast): string {
  const [from, to] = [formatPercent(low), formatPercent(high)];
  return from === to ? to : t('{0} to {1}', from.replace(' %', ''), to);
}

/** The same for a table: "6–29 %". */
export function formatShortRange({ low, high }: Forecast): string {
  const [from, to] = [formatPercent(low), formatPercent(high)];
  return from === to ? to : `${from.replace(' %', '')}–${to}`;
}

/** All that a drawn forecast shows, for readers who cannot see it. */
export function describeForecast({ now, bound, waves }: ForecastSteps): string {
  const after = waves.map((one) => t('wave {0}: {1}', one.wave, formatRange(one))).join(', ');
  const [share, free] = [formatPercent(now), formatPercent(bound)];
  return waves.length === 0
    ? t('Checkpoint task busy: now {0}. It counts as free below {1}.', share, free)
    : t('Checkpoint task busy: now {0}; forecast after {1}. It counts as free below {2}.', share, after, free);
}

/** What the two ends of the forecast rest on. */
export function describeEnds({ advised, takers, room }: InstanceVerdict, task: TaskShare, last: Forecast): readonly Named[] {
  const stay = Math.max(0, takers - advised.filter((id) => task.databases.has(id)).length);
  return [
    {
      name: t('Low end, {0}', formatPercent(last.low)),
      text: countOf(
        stay,
        t('The {0} database that stays automatic, as often and for as long as measured, less a tenth.'),
        t('The {0} databases that stay automatic, as often and for as long as measured, less a tenth.'),
      ),
    },
    {
      name: t('High end, {0}', formatPercent(last.high)),
      text: joinSentences(
        t('The same, for as long as measured, but as often as the capture allows.'),
        t(
          'The capture shows for how long a database did not ask for its next turn. It is taken to ask no sooner than that, and no sooner than half a recovery interval.',
        ),
        room < 0.01 ? t('A tenth is added.') : t('{0} is added for databases that had no turn yet, and then a tenth.', formatPercent(room)),
      ),
    },
  ];
}
