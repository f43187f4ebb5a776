import type { Gap } from '../../src/core/session/gap';

/** A time that was not observed. */
export const gapOf = (kind: Gap['kind'], beginUtcMs: number, endUtcMs: number, reason = ''): Gap => ({
  kind,
  beginUtcMs,
  endUtcMs,
  reason,
});
