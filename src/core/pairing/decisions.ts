import type { PendingEvents } from './pending-events';
import type { RunOutcome } from './run';
import type { UnpairedReason } from './unpaired';

/** A duration beyond this (49.7 days) does not fit its column. */
const LONGEST_DURATION_MS = 0xffffffff;

/** What pairing decides, told as it is decided. `owner` is the number of a database of the capture, `task` that of the task which ran it, NO_TASK: not known. */
export interface PairingOutcome {
  readonly checkpoint: (owner: number, beginUtcMs: number, durationMs: number, task: number) => void;
  readonly unpaired: (owner: number, isEnd: boolean, atUtcMs: number, reason: UnpairedReason) => void;
}

/** Why a begin and an end of that database at these times are no pair; null where they are. */
export type Refuse = (owner: number, beginUtcMs: number, endUtcMs: number) => UnpairedReason | null;

/** Gives back the slots of events that are decided, and tells the outcome. */
export class Decisions implements RunOutcome {
  /** null while nothing can come between a begin and its end. */
  refuse: Refuse | null = null;

  constructor(
    private readonly pending: PendingEvents,
    private readonly outcome: PairingOutcome,
  ) {}

  pair(owner: number, begin: number, end: number, task: number): void {
    const { pending } = this;
    const beginUtcMs = pending.atUtcMs[begin] as number;
    const endUtcMs = pending.atUtcMs[end] as number;
    const refusal = this.refusePair(owner, beginUtcMs, endUtcMs);
    if (refusal !== null) {
      this.giveUp(owner, begin, refusal);
      this.giveUp(owner, end, refusal);
      return;
    }
    pending.release(begin);
    pending.release(end);
    this.outcome.checkpoint(owner, beginUtcMs, endUtcMs - beginUtcMs, task);
  }

  giveUp(owner: number, slot: number, reason: UnpairedReason): void {
    const { pending } = this;
    pending.release(slot);
    this.outcome.unpaired(owner, pending.isEnd[slot] === 1, pending.atUtcMs[slot] as number, reason);
  }

  private refusePair(owner: number, beginUtcMs: number, endUtcMs: number): UnpairedReason | null {
    if (endUtcMs < beginUtcMs) return 'clock moved back';
    if (endUtcMs - beginUtcMs > LONGEST_DURATION_MS) return 'too long';
    return this.refuse === null ? null : this.refuse(owner, beginUtcMs, endUtcMs);
  }
}
