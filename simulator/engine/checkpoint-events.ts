import type { Agenda } from './agenda';
import type { CheckpointListener, RunningCheckpoint } from './checkpointer';
import { findEvent } from './event-catalogue';
import type { SessionStore } from './event-sessions';
import { SCAN_EVENT_MS } from './physics';

/** Turns what the checkpointer does into Extended Events; every event advances its task's count, whoever listens. */
export function listenWithEvents(agenda: Agenda, sessions: SessionStore, buffers: number): CheckpointListener {
  const fire = (
    name: string,
    checkpoint: RunningCheckpoint,
    atUs: number,
    phase?: 'begin' | 'end',
    more?: readonly (number | string)[],
  ): void => {
    const event = findEvent('sqlserver', name);
    if (event === undefined) throw new RangeError(`the catalogue has no event ${name}`);
    const { task, work, number } = checkpoint;
    const fired = { event, atUs, databaseId: work.database.id, task, sequence: task.nextSequence++ };
    sessions.fire({ ...fired, ...(more === undefined ? {} : { more }), ...(phase === undefined ? {} : { checkpoint: { number, phase } }) });
  };
  return {
    began(checkpoint) {
      fire('checkpoint_begin', checkpoint, checkpoint.beginUs, 'begin');
      if (checkpoint.scanMs < SCAN_EVENT_MS) return;
      const more = [Math.floor(checkpoint.scanMs), 'CHECKPOINT', 'FlushCache', checkpoint.pages, buffers];
      const scannedUs = checkpoint.beginUs + Math.round(checkpoint.scanMs * 1000);
      agenda.enter(scannedUs, (atUs) => fire('buffer_pool_scan_complete', checkpoint, atUs, undefined, more));
    },
    ended: (checkpoint) => fire('checkpoint_end', checkpoint, checkpoint.endUs, 'end'),
  };
}
