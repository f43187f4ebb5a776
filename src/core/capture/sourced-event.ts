import type { CheckpointEvent, EventRow } from './event';

/** An event with what tells it from others: the events it may pair with, and whether it is a second reading of one. */
export interface SourcedEvent extends CheckpointEvent {
  /** Events of one task and database have one key; without activity id, those of one database. */
  readonly key: string;
  /** Two readings of one event have one identity: with an activity id its task, number and content, else its content and its buffer. */
  readonly identity: string;
}

/** Names the event after its task or, without an activity id, after the buffer that it was read from. */
export function sourceEvent(event: CheckpointEvent, row: Pick<EventRow, 'fileName' | 'fileOffset'>): SourcedEvent {
  const { kind, databaseId, atUtcMs, activity } = event;
  const source = activity === null ? `${row.fileName ?? ''}|${row.fileOffset ?? ''}` : `${activity.guid}-${activity.sequence}`;
  const key = activity === null ? `/${databaseId}` : `${activity.guid}/${databaseId}`;
  return { kind, databaseId, atUtcMs, activity, key, identity: `${kind}${databaseId}@${atUtcMs}|${source}` };
}

/**
 * Order within a key: the task's own numbers where there are any, even where the clock says otherwise; else the time, a begin before an
 * end on a tie (docs/facts.md, SQL Server 3: file order is not time order).
 */
export function compareEvents(a: CheckpointEvent, b: CheckpointEvent): number {
  const bySequence = (a.activity?.sequence ?? 0) - (b.activity?.sequence ?? 0);
  return bySequence || a.atUtcMs - b.atUtcMs || (a.kind === b.kind ? 0 : a.kind === 'begin' ? -1 : 1);
}
