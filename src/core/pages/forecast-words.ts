/** A forecast of the checkpoint task in words. */
import { formatPercent } from '../format';
import type { Forecast, ForecastSteps } from '../advice/forecast';
import { t } from '../language';

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
