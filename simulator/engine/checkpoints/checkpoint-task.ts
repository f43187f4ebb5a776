import type { Agenda } from '../time/agenda';
import type { Random } from '../../scenarios/random';
import { TASK_GAP_US } from '../databases/physics';

/** A worker of the engine: how Extended Events name it, and its own count of events. */
export interface Task {
  readonly activityId: string;
  readonly sessionId: number;
  /** The database context of the task; it may differ from the database that it checkpoints. */
  readonly contextDatabaseId: number;
  /** The number of its next event; the first event of a task is 1. */
  nextSequence: number;
}

/** Work that has begun: when it ends, and what to call at that time. */
export interface Begun {
  readonly endUs: number;
  end(): void;
}

/** Work that waits for its turn. It starts when called, or returns undefined to be skipped. */
export interface Waiting {
  begin(atUs: number): Begun | undefined;
}

/** How many places at the front of the queue may be empty before it is moved up. */
const MOST_EMPTY_PLACES = 1024;

/**
 * A task that does one thing after another, in the order in which they became due:
 *   due      a  b     c
 *   runs     [a....][b][c...]
 */
export class SerialTask {
  private queue: Waiting[] = [];
  private head = 0;
  private isBusy = false;
  private running: Begun | undefined;

  constructor(
    readonly task: Task,
    private readonly agenda: Agenda,
    private readonly random: Random,
  ) {}

  enqueue(dueUs: number, waiting: Waiting): void {
    this.queue.push(waiting);
    if (this.isBusy) return;
    this.isBusy = true;
    this.agenda.enter(this.afterGap(dueUs), this.takeNext);
  }

  private readonly takeNext = (atUs: number): void => {
    for (let next = this.dequeue(); next !== undefined; next = this.dequeue()) {
      this.running = next.begin(atUs);
      if (this.running === undefined) continue;
      this.agenda.enter(this.running.endUs, this.endRunning);
      return;
    }
    this.isBusy = false;
  };

  private readonly endRunning = (endUs: number): void => {
    this.running?.end();
    this.agenda.enter(this.afterGap(endUs), this.takeNext);
  };

  private afterGap(atUs: number): number {
    return atUs + this.random.whole(...TASK_GAP_US);
  }

  /** Does not move the queue up each time: it may hold thousands. */
  private dequeue(): Waiting | undefined {
    const next = this.queue[this.head];
    this.head += 1;
    if (this.head >= this.queue.length) this.queue.length = 0;
    else if (this.head > MOST_EMPTY_PLACES) this.queue = this.queue.slice(this.head);
    else return next;
    this.head = 0;
    return next;
  }
}
