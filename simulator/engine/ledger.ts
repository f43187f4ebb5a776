/** The truth of a run, for tests: what the model did, not what anyone could see of it. All of it is plain JSON. */
export type CheckpointKind = 'automatic' | 'indirect' | 'manual';

export interface CheckpointEntry {
  /** Counts checkpoints by their begin, from 1. */
  readonly number: number;
  readonly databaseId: number;
  readonly databaseName: string;
  readonly kind: CheckpointKind;
  /** The task that ran it: one for all automatic ones, one for the recovery writer, one for each manual one. */
  readonly activityId: string;
  readonly sessionId: number;
  /** As Extended Events give them: the millisecond in which it happened. */
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  /** The same, unrounded, in microseconds. */
  readonly beginUs: number;
  readonly endUs: number;
  /** Time between being due and beginning. */
  readonly queuedMs: number;
  readonly scanMs: number;
  /** Pages and writes of the checkpoint itself. */
  readonly pages: number;
  readonly writes: number;
  /** Pages that the recovery writer wrote ahead of it, since the one before. */
  readonly backgroundPages: number;
}

export interface SettingChange {
  readonly atUtcMs: number;
  readonly databaseId: number;
  readonly databaseName: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly login: string;
}

/** One run of an event session, from its start to its stop. */
export interface SessionRun {
  readonly sessionName: string;
  readonly run: number;
  readonly startedUtcMs: number;
  readonly stoppedUtcMs: number | null;
  readonly capturedEvents: number;
  readonly lostEvents: number;
}

/** What one session saw of one checkpoint: null where that event was not captured. */
export interface CapturedCheckpoint {
  readonly number: number;
  readonly run: number;
  readonly databaseId: number;
  readonly databaseName: string;
  readonly kind: CheckpointKind;
  readonly beginUtcMs: number | null;
  readonly endUtcMs: number | null;
}

export interface Ledger {
  /** Checkpoints that have ended, by begin. */
  readonly checkpoints: readonly CheckpointEntry[];
  readonly settingChanges: readonly SettingChange[];
  readonly sessionRuns: readonly SessionRun[];
  /** Every checkpoint of which that session captured the begin, the end or both, over all of its runs, by begin. */
  capturedBy(sessionName: string): readonly CapturedCheckpoint[];
}

/** What the model writes down as it goes. */
export interface LedgerWriter extends Ledger {
  checkpointBegan(begun: Pick<CheckpointEntry, 'databaseId' | 'databaseName' | 'kind'>): number;
  checkpointEnded(entry: CheckpointEntry): void;
  settingChanged(change: SettingChange): void;
  sessionStarted(sessionName: string, atUtcMs: number): OpenRun;
}

export interface OpenRun {
  captured(phase: 'begin' | 'end', checkpointNumber: number, atUtcMs: number): void;
  countEvent(): void;
  countLost(events: number): void;
  stopped(atUtcMs: number): void;
}

interface MutableRun {
  readonly view: { -readonly [K in keyof SessionRun]: SessionRun[K] };
  readonly seen: Map<number, { beginUtcMs: number | null; endUtcMs: number | null }>;
}

export function createLedger(): LedgerWriter {
  const begun: Pick<CheckpointEntry, 'databaseId' | 'databaseName' | 'kind'>[] = [];
  const ended: CheckpointEntry[] = [];
  const settingChanges: SettingChange[] = [];
  const runs: MutableRun[] = [];
  let sorted = true;
  return {
    get checkpoints() {
      if (!sorted) ended.sort((a, b) => a.number - b.number);
      sorted = true;
      return ended;
    },
    settingChanges,
    get sessionRuns() {
      return runs.map((run) => run.view);
    },
    capturedBy: (sessionName) => runs.filter((run) => run.view.sessionName === sessionName).flatMap((run) => listCaptured(run, begun)),
    checkpointBegan: (checkpoint) => begun.push(checkpoint),
    checkpointEnded(entry) {
      const last = ended[ended.length - 1];
      if (last !== undefined && last.number > entry.number) sorted = false;
      ended.push(entry);
    },
    settingChanged: (change) => void settingChanges.push(change),
    sessionStarted(sessionName, startedUtcMs) {
      const view = { sessionName, run: runs.length + 1, startedUtcMs, stoppedUtcMs: null, capturedEvents: 0, lostEvents: 0 };
      const run: MutableRun = { view, seen: new Map() };
      runs.push(run);
      return openRun(run);
    },
  };
}

function openRun(run: MutableRun): OpenRun {
  return {
    captured(phase, number, atUtcMs) {
      const seen = run.seen.get(number) ?? { beginUtcMs: null, endUtcMs: null };
      run.seen.set(number, phase === 'begin' ? { ...seen, beginUtcMs: atUtcMs } : { ...seen, endUtcMs: atUtcMs });
    },
    countEvent: () => void (run.view.capturedEvents += 1),
    countLost: (events) => void (run.view.lostEvents += events),
    stopped: (atUtcMs) => void (run.view.stoppedUtcMs = atUtcMs),
  };
}

function listCaptured(
  run: MutableRun,
  begun: readonly Pick<CheckpointEntry, 'databaseId' | 'databaseName' | 'kind'>[],
): readonly CapturedCheckpoint[] {
  return [...run.seen]
    .sort(([a], [b]) => a - b)
    .flatMap(([number, seen]) => {
      const checkpoint = begun[number - 1];
      return checkpoint === undefined ? [] : [{ number, run: run.view.run, ...checkpoint, ...seen }];
    });
}
