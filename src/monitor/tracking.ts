import type { Capture } from '../core/capture/capture';
import type { EventRow } from '../core/capture/event';
import type { EventSessionState } from '../core/capture/event-session';
import { type FileCursor, writeFilePattern } from '../core/script/session';
import { readEvents } from './event-reading';
import type { ServerQuery } from './server-query';
import { readSessionState } from './session-control';

/**
 * How long an event may still lie in the server's buffers: MAX_DISPATCH_LATENCY of our session, twice, and a little for the clock. Until then an earlier event can
 * arrive after a later one, so nothing is paired for good.
 */
const settleLagMs = 15_000;

/**
 * Follows one run of our event session into one capture: incrementally, from the last buffer read. It knows nothing of timers; whoever owns it says when.
 */
export class Tracking {
  private cursor: FileCursor | null = null;
  private readonly filePattern: string;
  private readonly files = new Set<string>();
  lostEvents: number | null = null;
  isRunning = true;
  private readonly configuredFile: string | null;
  private readonly firstStartedLocalMs: number | null;
  private startedLocalMs: number | null;
  private lastSeenUtcMs: number;

  constructor(
    private readonly query: ServerQuery,
    readonly capture: Capture,
    session: EventSessionState,
    private readonly hasTimestampUtc: boolean,
    readonly beginUtcMs: number,
  ) {
    this.configuredFile = session.configuredFile;
    this.firstStartedLocalMs = this.startedLocalMs = session.startedLocalMs;
    this.lastSeenUtcMs = session.nowUtcMs;
    this.filePattern = writeFilePattern(session.configuredFile ?? 'CheckpointHealth.xel');
    capture.observe(beginUtcMs, session.nowUtcMs);
  }

  /** Names of the event files from which rows were read; the pattern where none was. */
  get fileNames(): readonly string[] {
    return this.files.size > 0 ? [...this.files] : [this.filePattern];
  }

  /**
   * Reads what is new. A session that was stopped elsewhere, or made anew with other files, is read to its end; the time after the last sight of it is not
   * observed. One that was stopped and started again goes on, with a gap. @throws ConnectionError
   */
  async readOn(): Promise<EventSessionState> {
    const session = await readSessionState(this.query);
    await this.readFiles();
    this.isRunning = session.isRunning && session.configuredFile === this.configuredFile;
    if (this.isRunning) {
      this.noteRestart(session);
      this.lostEvents = (session.droppedEvents ?? 0) + (session.droppedBuffers ?? 0);
      this.capture.observe(this.beginUtcMs, session.nowUtcMs);
      this.capture.settle(session.nowUtcMs - settleLagMs);
    } else this.capture.settle(Infinity);
    return session;
  }

  /** After our own stop: reads what stopping wrote out and settles everything. @throws ConnectionError */
  async readToEnd(stoppedUtcMs: number): Promise<void> {
    await this.readFiles();
    this.isRunning = false;
    this.capture.observe(this.beginUtcMs, stoppedUtcMs);
    this.capture.settle(Infinity);
  }

  /** Started again since the last sight of it: what happened between that sight and the new start was not recorded. */
  private noteRestart({ startedLocalMs, nowUtcMs }: EventSessionState): void {
    if (startedLocalMs !== null && this.firstStartedLocalMs !== null && startedLocalMs !== this.startedLocalMs) {
      const startUtcMs = this.beginUtcMs + startedLocalMs - this.firstStartedLocalMs;
      // A clock that was moved says nothing about the new start: then nothing up to now counts as observed.
      const endUtcMs = startUtcMs > this.lastSeenUtcMs ? Math.min(startUtcMs, nowUtcMs) : nowUtcMs;
      this.capture.addGap({
        kind: 'session stopped',
        beginUtcMs: this.lastSeenUtcMs,
        endUtcMs,
        reason: 'The event session was stopped and started again.',
      });
    }
    this.startedLocalMs = startedLocalMs;
    this.lastSeenUtcMs = nowUtcMs;
  }

  private async readFiles(): Promise<void> {
    const files = { filePattern: this.filePattern, hasTimestampUtc: this.hasTimestampUtc };
    const reading = await readEvents(this.query, files, this.cursor, (rows, cursor) => this.take(rows, cursor));
    this.cursor = reading.cursor;
    if (reading.end !== 'rolled over') return;
    this.capture.openGap(
      this.capture.lastEventUtcMs ?? this.beginUtcMs,
      'files rolled over',
      'The event files rolled over before they were read.',
    );
    await this.readFiles();
  }

  private take(rows: readonly EventRow[], cursor: FileCursor | null): void {
    this.cursor = cursor;
    for (const row of rows) if (row.fileName !== null) this.files.add(row.fileName);
    this.capture.append(rows);
  }
}
