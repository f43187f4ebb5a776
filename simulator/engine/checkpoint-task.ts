import type { Agenda } from './agenda';
import type { Random } from './random';
import { TASK_GAP_US } from './physics';

/** A worker of the engine: what it is known by to Extended Events, and its own count of events. */
export interface Task {
  readonly activityId: string;
  readonly sessionId: number;
  /** The database context of the task, which need not be the database that it checkpoints. */
  readonly contextDatabaseId: number;
  /** The number of the event that it fires next; the first one of a task's life is 1. */
  nextSequence: number;
}

/** Work that has begun: when it ends, and what to call then. */
export interface Begun {
  readonly endUs: number;
  readonly end: () => void;
}

/** Starts the work at that moment, or gives undefined to skip it. */
type Begin = (atUs: number) => Begun | undefined;

/**
 * A task that does one thing after another, in the order in which they fell due:
 *   due      a  b     c
 *   runs     [a....][b][c...]
 */
export interface SerialTask {
  readonly task: Task;
  enqueue(dueUs: number, begin: Begin): void;
}

export function createSerialTask(task: Task, agenda: Agenda, random: Random): SerialTask {
  const queue: Begin[] = [];
  let isBusy = false;

  const takeNext = (atUs: number): void => {
    const next = queue.shift();
    if (next === undefined) {
      isBusy = false;
      return;
    }
    const running = next(atUs);
    if (running === undefined) return takeNext(atUs);
    agenda.enter(running.endUs, (endUs) => {
      running.end();
      agenda.enter(endUs + random.whole(...TASK_GAP_US), takeNext);
    });
  };
  return {
    task,
    enqueue(dueUs, begin) {
      queue.push(begin);
      if (isBusy) return;
      isBusy = true;
      agenda.enter(dueUs + random.whole(...TASK_GAP_US), takeNext);
    },
  };
}
