import type { ChangeMoment, DatabaseChange } from '../../../src/core/task/change-moment';

/** A switch to a minute, seen as it was done, with what the test wants to be different. */
export const changedAt = (atUtcMs: number, more: Partial<ChangeMoment> = {}): ChangeMoment => ({
  atUtcMs,
  notBeforeUtcMs: atUtcMs,
  source: 'observed',
  fromSeconds: 0,
  toSeconds: 60,
  ...more,
});

/** The same of a database. */
export const changeOf = (
  databaseId: number,
  atUtcMs: number,
  more: Partial<ChangeMoment> = {},
): DatabaseChange => ({ databaseId, ...changedAt(atUtcMs, more) });
