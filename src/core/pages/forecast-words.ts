/** A forecast of the checkpoint task in words. */
import { formatCount, formatDuration, formatPercent } from '../format';
import { type Forecast, type ForecastSteps, isWide } from '../advice/forecast';
import { countTurns, type InstanceVerdict, type SoFar } from '../advice/instance';
import { joinSentences, t } from '../language';
import { readEmphasis, type Words } from './words';

/** "6 to 29 %", "97 %", "likely 46 %, 25 to 100 % possible", and "at least 25 %" where nothing speaks against 100. */
export function formatRange({ low, high, likely }: Forecast): string {
  const [from, to] = [formatPercent(low), formatPercent(high)];
  const range = from === to ? to : t('{0} to {1}', from.replace(' %', ''), to);
  if (likely !== undefined) return t('likely {0}, {1} possible', formatPercent(likely), range);
  return high >= 1 && low < 1 ? t('at least {0}', from) : range;
}

/** The same for a table: "6–29 %", "46 % (25–100 %)". */
export function formatShortRange({ low, high, likely }: Forecast): string {
  const [from, to] = [formatPercent(low), formatPercent(high)];
  const range = from === to ? to : `${from.replace(' %', '')}–${to}`;
  if (likely !== undefined) return `${formatPercent(likely)} (${range})`;
  return high >= 1 && low < 1 ? `≥ ${from}` : range;
}

/** A range up to this is called narrow. */
const NARROW = 0.2;

/**
 * In a queue, the databases that stay take the time that is freed, so the first waves may look like failures, or cannot
 * be foreseen at all.
 */
export function writeNote(forecast: ForecastSteps | null): string | null {
  if (forecast === null) return null;
  const { now, bound, waves } = forecast;
  const isOpen = (one: Forecast): boolean => isWide(one) && one.likely === undefined;
  const wide = waves.find(isOpen);
  if (wide !== undefined) {
    const clear = waves.find(({ wave, low, high }) => wave > wide.wave && high - low <= NARROW);
    return joinSentences(
      t('The range after wave {0} is wide: other databases may use the time it frees.', wide.wave),
      clear === undefined ? '' : t('After wave {0} it is narrow.', clear.wave),
    );
  }
  const [first, ...later] = waves;
  const hasFallen = ({ high, likely = high }: Forecast): boolean => likely < now * 0.9;
  if (first === undefined || later.length === 0 || now <= bound || hasFallen(first)) return null;
  const fallen = later.find(hasFallen) ?? later[later.length - 1];
  const last = (fallen?.wave ?? 0) - 1;
  return last === first.wave
    ? t('Wave {0} alone changes little: waiting databases use the time it frees.', last)
    : t('Waves {0} to {1} alone change little: waiting databases use the time they free.', first.wave, last);
}

const MOST_NAMED = 3;

/** Which databases come next, once a wave was run: they need not be the ones that take most. */
export function writeNext(next: InstanceVerdict['next'], nameOf: (databaseId: number) => string): string {
  if (next === null) return '';
  const named = next.databaseIds.slice(0, MOST_NAMED).map(nameOf).join(', ');
  const more = next.databaseIds.length - MOST_NAMED;
  const names = more > 0 ? t('{0} and {1} more', named, formatCount(more)) : named;
  return t('Next, wave {0}: {1}.', next.wave, names);
}

/** All that a drawn forecast shows, for readers who cannot see it. */
export function describeForecast({ now, bound, waves }: ForecastSteps): string {
  const after = waves.map((one) => t('wave {0}: {1}', one.wave, formatRange(one))).join(', ');
  const [share, free] = [formatPercent(now), formatPercent(bound)];
  return waves.length === 0
    ? t('Checkpoint task busy: now {0}. Goal: under {1}.', share, free)
    : t('Checkpoint task busy: now {0}; forecast after {1}. Goal: under {2}.', share, after, free);
}

/** How the last wave went that was run. */
export const SO_FAR_WORDS: Readonly<Record<NonNullable<SoFar['forecast']>, string>> = {
  'as forecast': t('forecast holds'),
  wide: t('forecast was wide'),
  above: t('busier than forecast'),
  below: t('less busy than forecast'),
};

/** After the last wave; undefined: nothing is forecast. */
export function findLast(forecast: ForecastSteps | null): ForecastSteps['waves'][number] | undefined {
  return forecast?.waves[forecast.waves.length - 1];
}

/** How busy the task should be without the databases that are to be switched. */
export function describeSwitched(
  { feeders, hurting, advised }: InstanceVerdict,
  last: Forecast,
): readonly Words[] {
  const range = formatRange(last);
  if (advised.length === 1)
    return readEmphasis(t('With this one on indirect checkpoints, the task should be busy **{0}**.'), range);
  const all = t('With these {0} on indirect checkpoints, the task should be busy **{1}**.');
  const some = t('With {0} of them on indirect checkpoints, the task should be busy **{1}**.');
  return readEmphasis(
    advised.length === feeders.size + hurting.length ? all : some,
    formatCount(advised.length),
    range,
  );
}

/** Why the upper end does not come down to the bound. */
export function describeRest(
  { bound, fixedShare, fixedId, task, room }: InstanceVerdict,
  nameOf: (databaseId: number) => string,
): string {
  if (fixedShare >= bound / 2)
    return fixedId === null
      ? t(
          'Databases that a switch leaves alone keep the task busy {0} of the time.',
          formatPercent(fixedShare),
        )
      : t(
          '{0}, which a switch leaves alone, keeps the task busy {1} of the time.',
          nameOf(fixedId),
          formatPercent(fixedShare),
        );
  if ((task?.margin ?? 0) >= 0.05)
    return t('Checkpoints overlapped, so it is unclear what else feeds the queue.');
  return room >= 0.05
    ? t('A longer capture gives a narrower range.')
    : t('Too few pauses were seen for a narrower range.');
}

/**
 * Whether no database stands out: all that have turns feed the queue, and the largest takes little more than the one in
 * the middle.
 */
export function isEven({ state, task, feeders, takers, advised }: InstanceVerdict): boolean {
  if (
    task === null ||
    state !== 'saturated' ||
    feeders.size < 10 ||
    feeders.size < 0.95 * takers ||
    advised.length < feeders.size
  )
    return false;
  const shares = [...task.databases.values()].map(({ share }) => share).sort((a, b) => a - b);
  return (shares[shares.length - 1] ?? 0) <= 3 * (shares[shares.length >> 1] ?? 0);
}

export function describeEven(
  { task, advised, observedMs, forecast }: InstanceVerdict,
  last: Forecast,
): readonly Words[] {
  const turns = task === null ? 0 : countTurns(task).turns;
  const each = formatDuration(((task?.busyShare ?? 0) * observedMs) / Math.max(1, turns));
  const waves = forecast?.waves.length ?? 1;
  const said =
    waves > 1
      ? t(
          'No database stands out: each takes about {0}. The task is free only when **all {1}** are switched, in {3} waves. Then it should be busy **{2}**.',
        )
      : t(
          'No database stands out: each takes about {0}. The task is free only when **all {1}** are switched. Then it should be busy **{2}**.',
        );
  return readEmphasis(said, each, formatCount(advised.length), formatRange(last), waves);
}
