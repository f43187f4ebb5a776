import type { Agenda } from '../time/agenda';
import {
  commandOf,
  type CheckpointListener,
  type RunningCheckpoint,
} from '../checkpoints/running-checkpoint';
import type { CatalogueEvent, EventCatalogue } from './event-catalogue';
import type { SessionStore } from './event-sessions';
import { SCAN_EVENT_MS } from '../databases/physics';

/**
 * Turns what the checkpointer does into the Extended Events of this release. Every event advances its task's count,
 * even if nobody listens.
 */
export function listenWithEvents(
  agenda: Agenda,
  sessions: SessionStore,
  catalogue: EventCatalogue,
  pool: { readonly buffers: number; readonly scanTasks: number },
): CheckpointListener {
  const fire = (
    event: CatalogueEvent,
    { task, work, number }: RunningCheckpoint,
    atUs: number,
    phase?: 'begin' | 'end',
    more?: readonly (number | string)[],
  ): void => {
    const checkpoint = phase && { number, phase };
    sessions.fire({
      event,
      atUs,
      databaseId: work.database.id,
      task,
      sequence: task.nextSequence++,
      more,
      checkpoint,
    });
  };
  const begin = requireEvent(catalogue, 'checkpoint_begin');
  const end = requireEvent(catalogue, 'checkpoint_end');
  const scan = catalogue.findEvent('sqlserver', 'buffer_pool_scan_complete');
  return {
    began(checkpoint) {
      fire(begin, checkpoint, checkpoint.beginUs, 'begin');
      if (scan === undefined || checkpoint.scanMs < SCAN_EVENT_MS) return;
      const values = [
        Math.floor(checkpoint.scanMs),
        commandOf(checkpoint),
        'FlushCache',
        checkpoint.pages,
        pool.buffers,
        pool.scanTasks,
      ];
      const more = values.slice(0, scan.fields.length - 1);
      const scannedUs = checkpoint.beginUs + Math.round(checkpoint.scanMs * 1000);
      agenda.enter(scannedUs, (atUs) => fire(scan, checkpoint, atUs, undefined, more));
    },
    ended: (checkpoint) => fire(end, checkpoint, checkpoint.endUs, 'end'),
  };
}

function requireEvent(catalogue: EventCatalogue, name: string): CatalogueEvent {
  const event = catalogue.findEvent('sqlserver', name);
  if (event === undefined) throw new RangeError(`the catalogue has no event ${name}`);
  return event;
}
