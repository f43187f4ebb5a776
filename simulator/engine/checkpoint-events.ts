import type { Agenda } from './agenda';
import type { CheckpointListener, RunningCheckpoint } from './checkpointer';
import { commandOf } from './error-log-checkpoints';
import { findEvent, type CatalogueEvent } from './event-catalogue';
import type { SessionStore } from './event-sessions';
import { SCAN_EVENT_MS } from './physics';

function requireEvent(name: string): CatalogueEvent {
  const event = findEvent('sqlserver', name);
  if (event === undefined) throw new RangeError(`the catalogue has no event ${name}`);
  return event;
}

/** Turns what the checkpointer does into Extended Events; every event advances its task's count, whoever listens. */
export function listenWithEvents(agenda: Agenda, sessions: SessionStore, buffers: number): CheckpointListener {
  const [begin, end, scan] = ['checkpoint_begin', 'checkpoint_end', 'buffer_pool_scan_complete'].map(requireEvent) as [
    CatalogueEvent,
    CatalogueEvent,
    CatalogueEvent,
  ];
  const fire = (
    event: CatalogueEvent,
    checkpoint: RunningCheckpoint,
    atUs: number,
    phase?: 'begin' | 'end',
    more?: readonly (number | string)[],
  ): void => {
    const { task, work, number } = checkpoint;
    const fired = { event, atUs, databaseId: work.database.id, task, sequence: task.nextSequence++ };
    sessions.fire({ ...fired, ...(more === undefined ? {} : { more }), ...(phase === undefined ? {} : { checkpoint: { number, phase } }) });
  };
  return {
    began(checkpoint) {
      fire(begin, checkpoint, checkpoint.beginUs, 'begin');
      if (checkpoint.scanMs < SCAN_EVENT_MS) return;
      const more = [Math.floor(checkpoint.scanMs), commandOf(checkpoint), 'FlushCache', checkpoint.pages, buffers];
      const scannedUs = checkpoint.beginUs + Math.round(checkpoint.scanMs * 1000);
      agenda.enter(scannedUs, (atUs) => fire(scan, checkpoint, atUs, undefined, more));
    },
    ended: (checkpoint) => fire(end, checkpoint, checkpoint.endUs, 'end'),
  };
}
