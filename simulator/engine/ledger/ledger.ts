import {
  CheckpointColumns,
  NumberSet,
  type BegunCheckpoint,
  type CheckpointEntry,
  type CheckpointKind,
  type EndedCheckpoint,
} from './checkpoint-columns';

interface SettingChange {
  readonly atUtcMs: number;
  readonly databaseId: number;
  readonly databaseName: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly login: string;
}

/** A statement that changes more than its own session, even if it was refused. */
interface ServerCommand {
  readonly atUtcMs: number;
  /** The name that the client gave itself at login. */
  readonly application: string;
  readonly login: string;
  /** "ALTER DATABASE Sales SET TARGET_RECOVERY_TIME", "CHECKPOINT", "CREATE EVENT SESSION x". */
  readonly command: string;
}

interface LoginEntry {
  readonly atUtcMs: number;
  readonly application: string;
  /** The login's name as the client sent it; empty for a token. */
  readonly login: string;
  /** SQL Server's number for the refusal; null: it was let in. */
  readonly error: number | null;
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

/** What one event session captured of one checkpoint; null if it did not capture that event. */
interface CapturedCheckpoint {
  readonly number: number;
  readonly run: number;
  readonly databaseId: number;
  readonly databaseName: string;
  readonly kind: CheckpointKind;
  readonly beginUtcMs: number | null;
  readonly endUtcMs: number | null;
}

/** What the model really did in a run, for tests, not only what somebody could see. All of it is plain JSON. */
export interface Ledger {
  /** Checkpoints that have ended, by begin. */
  readonly checkpoints: readonly CheckpointEntry[];
  readonly settingChanges: readonly SettingChange[];
  /** In the order in which clients gave them. */
  readonly commands: readonly ServerCommand[];
  /** In the order in which they came. */
  readonly logins: readonly LoginEntry[];
  readonly sessionRuns: readonly SessionRun[];
  /** Every checkpoint whose begin or end that session captured, over all of its runs, by begin. */
  capturedBy(sessionName: string): readonly CapturedCheckpoint[];
  /** `checkpoints` one by one: there may be millions. */
  listCheckpoints(): Iterable<CheckpointEntry>;
}

interface MutableRun {
  readonly view: { -readonly [K in keyof SessionRun]: SessionRun[K] };
  readonly begins: NumberSet;
  readonly ends: NumberSet;
  firstNumber: number;
  lastNumber: number;
}

/** The ledger as the model writes it. */
export type LedgerWriter = ReturnType<typeof createLedger>;
export type OpenRun = ReturnType<typeof openRun>;

export function createLedger() {
  const columns = new CheckpointColumns();
  const settingChanges: SettingChange[] = [];
  const commands: ServerCommand[] = [];
  const logins: LoginEntry[] = [];
  const runs: MutableRun[] = [];
  let listed: readonly CheckpointEntry[] = [];
  return {
    get checkpoints() {
      if (listed.length !== columns.endedCount) listed = [...listEnded(columns)];
      return listed;
    },
    settingChanges,
    commands,
    logins,
    get sessionRuns() {
      return runs.map((run) => run.view);
    },
    capturedBy: (sessionName: string) =>
      runs
        .filter(({ view }) => view.sessionName === sessionName)
        .flatMap((run) => [...listCaptured(run, columns)]),
    listCheckpoints: () => listEnded(columns),
    /** @returns the checkpoint's number */
    checkpointBegan: (begun: BegunCheckpoint) => columns.begin(begun),
    checkpointEnded: (ended: EndedCheckpoint) => columns.end(ended),
    settingChanged: (change: SettingChange) => void settingChanges.push(change),
    commandGiven: (command: ServerCommand) => void commands.push(command),
    loginSent: (login: LoginEntry) => void logins.push(login),
    sessionStarted(sessionName: string, startedUtcMs: number) {
      const view = {
        sessionName,
        run: runs.length + 1,
        startedUtcMs,
        stoppedUtcMs: null,
        capturedEvents: 0,
        lostEvents: 0,
      };
      const run: MutableRun = {
        view,
        begins: new NumberSet(),
        ends: new NumberSet(),
        firstNumber: Number.POSITIVE_INFINITY,
        lastNumber: 0,
      };
      runs.push(run);
      return openRun(run);
    },
  };
}

function openRun(run: MutableRun) {
  return {
    captured(phase: 'begin' | 'end', number: number): void {
      (phase === 'begin' ? run.begins : run.ends).add(number);
      run.firstNumber = Math.min(run.firstNumber, number);
      run.lastNumber = Math.max(run.lastNumber, number);
    },
    countEvent: () => void (run.view.capturedEvents += 1),
    countLost: (events: number) => void (run.view.lostEvents += events),
    stopped: (atUtcMs: number) => void (run.view.stoppedUtcMs = atUtcMs),
  };
}

function* listEnded(columns: CheckpointColumns): Generator<CheckpointEntry> {
  for (let number = 1; number <= columns.count; number++) {
    const entry = columns.entry(number);
    if (entry !== undefined) yield entry;
  }
}

function* listCaptured(run: MutableRun, columns: CheckpointColumns): Generator<CapturedCheckpoint> {
  for (let number = run.firstNumber; number <= run.lastNumber; number++) {
    const isBegin = run.begins.has(number);
    const isEnd = run.ends.has(number);
    if (!isBegin && !isEnd) continue;
    const { databaseId, databaseName, kind, beginUs } = columns.begun(number);
    const beginUtcMs = isBegin ? Math.floor(beginUs / 1000) : null;
    // The event of the end fires with the end itself.
    const endUtcMs = isEnd ? Math.floor(columns.endUs(number) / 1000) : null;
    yield { number, run: run.view.run, databaseId, databaseName, kind, beginUtcMs, endUtcMs };
  }
}
